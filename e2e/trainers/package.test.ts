import { expect, test } from 'vitest'
import { python } from './python.ts'

test('the package passes its own tests', () => {
  expect(python(['-m', 'pytest', '-q', '-p', 'no:cacheprovider'])).toMatch(/\d+ passed/)
})

test('the package is formatted and linted', () => {
  python(['-m', 'ruff', 'format', '--check', '--no-cache', '.'])
  python(['-m', 'ruff', 'check', '--no-cache', '.'])
})
