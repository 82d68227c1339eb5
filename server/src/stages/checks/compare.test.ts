import { describe, expect, it } from 'vitest'
import type { CheckedTest } from '#contracts/entities/check.ts'
import { NOTHING_DECLARED } from './absent.ts'
import { compare, type ComparedRun } from './compare.ts'
import { verdictOf } from './verdict.ts'

/** "a b! c?": a passed, b failed, c could not be run; a number: only an exit code. */
function run(of: string | number, message = 'wrong', output = ''): ComparedRun {
  const exitCode = typeof of === 'number' ? of : /[!?]/.test(of) ? 1 : 0
  const tests =
    typeof of === 'number'
      ? null
      : of.split(' ').map((word): CheckedTest => {
          const outcome = word.endsWith('!') ? 'failed' : word.endsWith('?') ? 'error' : 'passed'
          return { name: word.replace(/[!?]$/, ''), outcome, durationMs: null, message: outcome === 'passed' ? null : message }
        })
  const ran = {
    exitCode,
    timedOut: false,
    timeoutSec: 1,
    output,
    isNothing: false,
    folder: '',
    unseen: null,
    declared: NOTHING_DECLARED,
    silenced: [],
    failedScript: null,
    report: tests === null ? ('unreported' as const) : { tests },
  }
  return { ...ran, tests, verdict: verdictOf(ran) }
}

const REFUSED = 'connect ECONNREFUSED 127.0.0.1:5432'
const CASES: [string, ComparedRun | string, ComparedRun, string, string[]][] = [
  ['a fix beside a known failure', run('a! b!'), run('a b!'), 'passed', ['b']],
  ['a new failure beside a known one', run('a b!'), run('a! b!'), 'failed', ['b']],
  ['a refactoring beside a failure that a service explains', run('a b!', REFUSED), run('a b!', REFUSED), 'passed', ['b']],
  ['work that makes a failure look like one of a service', run('a b!'), run('a b!', REFUSED), 'error', ['b']],
  ['no change of a failure that nothing explains', run('a b!'), run('a b!'), 'error', ['b']],
  ['a file that cannot be loaded any more', run('a b'), run('file.js?'), 'failed', []],
  ['a new test that fails', run('a'), run('a b!'), 'error', []],
  ['a test that now needs a service', run('a'), run('a!', REFUSED), 'error', []],
  ['no state before', 'There is none.', run('a!'), 'error', []],
  ['exit codes 0, then 1', run(0), run(1), 'failed', []],
  ['exit codes 1, then 1', run(1), run(1), 'error', []],
  ['exit codes 1, then 0', run(1), run(0), 'passed', []],
  ['exit codes 0, then killed', run(0), run(137), 'error', []],
]

describe('the verdict on work, from the checks before and after it', () => {
  it.each(CASES)('%s', (_, before, after, status, knownFailures) => {
    expect(compare({ before, after, missing: [], isAcceptance: false })).toMatchObject({ status, knownFailures })
  })

  it('is not blamed for a path that is not there, but for a word that only contains its name', () => {
    const missing = [{ file: 'gen/', kind: 'ignored' as const, reason: 'ignored' }]
    const status = (message: string) => compare({ before: run('a'), after: run('a!', message), missing, isAcceptance: false }).status
    expect(["ENOENT: open 'gen/a.txt'", 'generatedMessage: true'].map(status)).toEqual(['error', 'failed'])
  })

  it("fails by the caller's own command, unless something that is missing explains it", () => {
    const acceptance = { before: run(1), missing: [], isAcceptance: true }
    expect(compare({ ...acceptance, after: run(1) }).status).toBe('failed')
    expect(compare({ ...acceptance, after: run(1, '', 'No module named pytest') }).status).toBe('error')
  })
})
