import { expect, test } from 'vitest'
import { formatBytes } from './format.ts'

test('sizes have three figures, also just below the next unit', () => {
  const sizes = [0, 1023, 1024, 1023 * 1024, 1_048_575, 1024 ** 2, 999 * 1024 ** 2, 1.18 * 1024 ** 3, 5000 * 1024 ** 4]
  expect(sizes.map(formatBytes)).toEqual(['0 B', '1023 B', '1.00 KB', '1023 KB', '1024 KB', '1.00 MB', '999 MB', '1.18 GB', '5000 TB'])
})
