import { expect, test } from 'vitest'
import { formatBytes } from './format.ts'

test('sizes have three figures, also just below the next unit', () => {
  const sizes = [0, 999, 1000, 999e3, 999_600, 1e6, 999e6, 1.18e9, 5000e12]
  expect(sizes.map(formatBytes)).toEqual(['0 B', '999 B', '1.00 kB', '999 kB', '1.00 MB', '1.00 MB', '999 MB', '1.18 GB', '5000 TB'])
})
