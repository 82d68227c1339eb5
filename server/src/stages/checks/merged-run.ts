import type { CheckedTest } from '#contracts/entities/check.ts'
import { type CheckRun, verdictOf } from './verdict.ts'

/** Worst first. */
const ORDER = ['error', 'failed', 'passed', 'none'] as const

/**
 * The runs of a project's parts as one run, whose tests have the folder of their part before their name;
 * those of the project itself have none, so that their names do not depend on which parts are run. A part without a report is
 * one test, which its exit code decides. The worst part gives the exit code; if it has no complete report, there is none at all.
 */
export function mergedRun<T extends CheckRun>(runs: readonly [T, ...T[]]): T {
  const [first, ...others] = runs
  if (others.length === 0) return first
  const parts = runs.map((run) => ({ run, status: verdictOf(run).status }))
  const worst = parts.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))[0]!.run
  const isIncomplete = worst.timedOut || worst.report === null
  const tests = parts.flatMap(({ run }): CheckedTest[] => {
    if (run.report === 'unreported') return run.isNothing ? [] : [asTest(run)]
    return (run.report?.tests ?? []).map((test) => ({ ...test, name: run.folder === '' ? test.name : `${run.folder} > ${test.name}` }))
  })
  return {
    ...worst,
    output: runs.map((run) => `# ${nameOf(run)}\n${run.output.trimEnd()}\n`).join('\n'),
    report: isIncomplete ? null : { tests },
    isNothing: runs.every(({ isNothing }) => isNothing),
  }
}

const nameOf = ({ folder }: CheckRun) => folder || '.'

function asTest(run: CheckRun): CheckedTest {
  const { status, reason } = verdictOf(run)
  const outcome = status === 'none' ? 'skipped' : status
  return { name: nameOf(run), outcome, durationMs: null, message: reason ?? (status === 'failed' ? `Exit code ${run.exitCode}` : null) }
}
