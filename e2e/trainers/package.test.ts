import { expect, test } from 'vitest'
import { python } from './python.ts'

test('the package passes its own tests', () => {
  expect(python(['-m', 'pytest', '-q', '-p', 'no:cacheprovider'])).toMatch(/\d+ passed/)
})

test('the package is formatted and linted', () => {
  expect(python(['-m', 'ruff', 'format', '--check', '--no-cache', '.'])).toMatch(/already formatted/)
  expect(python(['-m', 'ruff', 'check', '--no-cache', '.'])).toMatch(/All checks passed/)
})
