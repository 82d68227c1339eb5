import type { CheckReport, CheckedTest } from '#contracts/entities/check.ts'

/** `error`: the checks could not be run for a reason other than the work. */
export type Grade = 'pass' | 'fail' | 'error'

/**
 * Grades work by checks that the reference solution passes in the same sandbox: whatever makes them fail then is the work. A result
 * that may be forged is a failure.
 */
export function gradeOf({ status, isDoubted, before }: Pick<CheckReport, 'status' | 'isDoubted' | 'before'>): Grade {
  if (status === 'passed') return 'pass'
  if (status === 'failed' || isDoubted) return 'fail'
  return (before?.passed ?? 0) > 0 ? 'fail' : 'error'
}

const greensOf = (tests: readonly CheckedTest[]): Set<string> =>
  new Set(tests.filter(({ outcome }) => outcome === 'passed').map(({ name }) => name))

/** Tests that the reference passes: those that the work fails, and the others. */
export function comparedTests({ tests, before }: Pick<CheckReport, 'tests' | 'before'>): { mustPass: string[]; mustStay: string[] } {
  const green = greensOf(tests)
  const names = [...greensOf(before?.tests ?? [])].toSorted()
  return { mustPass: names.filter((name) => !green.has(name)), mustStay: names.filter((name) => green.has(name)) }
}
