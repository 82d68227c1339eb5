import { expect, test } from 'vitest'
import { sandboxWorkerArgv } from '#server/adapters/sandbox/index.ts'
import { python } from './python.ts'

const sandbox = sandboxWorkerArgv()
/** The pytest output with the result of each test. The tests also use our sandbox if it is available. */
let output = ''

// takes minutes, and twice as long if another suite runs in parallel
test('the package passes its own tests', () => {
  const more: Record<string, string> = sandbox === null ? {} : { BASHGYM_TEST_SANDBOX: JSON.stringify(sandbox) }
  output = python(['-m', 'pytest', '-q', '-rpfE', '-p', 'no:cacheprovider'], '', more)
  expect(output).toMatch(/\d+ passed/)
}, 1_500_000)

test.skipIf(sandbox === null)('a model learns from rewards by tests in the real sandbox', () => {
  expect(output).toContain('PASSED tests/test_strategies.py::test_rlvr_learns_to_write_code_that_passes_the_tests[real]')
})

test('the package is formatted and linted', () => {
  expect(python(['-m', 'ruff', 'format', '--check', '--no-cache', '.'])).toMatch(/already formatted/)
  expect(python(['-m', 'ruff', 'check', '--no-cache', '.'])).toMatch(/All checks passed/)
})
