import { expect, test } from 'vitest'
import { sandboxWorkerArgv } from '#server/adapters/sandbox/index.ts'
import { PYTHON, python, REAL_PYTHON } from './python.ts'

const sandbox = sandboxWorkerArgv()

// takes minutes
test('the package passes its own tests, those in the real sandbox among them', () => {
  const forking: Record<string, string> = PYTHON === REAL_PYTHON ? {} : { BASHGYM_TEST_FORKING: PYTHON }
  const more = { ...forking, ...(sandbox !== null && { BASHGYM_TEST_SANDBOX: JSON.stringify(sandbox) }) }
  const output = python(['-m', 'pytest', '-q', '-rpfE', '--tb=short', '-p', 'no:cacheprovider'], '', more)
  expect(output).toMatch(/\d+ passed/)
  const real = 'PASSED tests/test_strategies.py::test_rlvr_learns_to_write_code_that_passes_the_tests[real]'
  expect(output).toContain(sandbox === null ? '' : real)
}, 1_500_000)

test('the package is formatted and linted', () => {
  expect(python(['-m', 'ruff', 'format', '--check', '--no-cache', '.'])).toMatch(/already formatted/)
  expect(python(['-m', 'ruff', 'check', '--no-cache', '.'])).toMatch(/All checks passed/)
})
