import { z } from 'zod'
import { Instant, TraceId } from './common.ts'

/** The program that runs a project's own checks. `command` is a command from the caller. */
export const CheckRunner = z
  .enum(['command', 'verify.sh', 'pytest', 'unittest', 'vitest', 'jest', 'mocha', 'node', 'npm', 'bats', 'go', 'cargo', 'make', 'harbor'])
  .meta({ id: 'CheckRunner' })
export type CheckRunner = z.infer<typeof CheckRunner>

export const CheckedTest = z
  .object({
    name: z.string(),
    outcome: z.enum(['passed', 'failed', 'error', 'skipped']),
    durationMs: z.number().nullable(),
    message: z.string().nullable().meta({ description: 'why it did not pass, shortened' }),
  })
  .meta({ id: 'CheckedTest' })
export type CheckedTest = z.infer<typeof CheckedTest>

/** A detected check of a project. */
export const FoundCheck = z
  .object({
    runner: CheckRunner,
    command: z.string(),
    because: z.string().meta({ description: 'the file that it was detected by' }),
    folder: z.string().default('').meta({ description: 'the folder of the project that it runs in; empty for the project itself' }),
    reason: z.string().nullable().default(null).meta({
      description: 'why it was not run; null if it was, or if another check of the project was preferred',
    }),
  })
  .meta({ id: 'FoundCheck' })
export type FoundCheck = z.infer<typeof FoundCheck>

export const CheckStatus = z.enum(['passed', 'failed', 'error', 'none']).meta({
  id: 'CheckStatus',
  description:
    'passed: all that ran passed, but for known failures; failed: a test failed that the environment does not explain; ' +
    'error: not verified (timeout, crash, missing runner, or a failure that may be due to the environment); none: no test ran',
})
export type CheckStatus = z.infer<typeof CheckStatus>

/** What a result says about the work. The reason why it is not verified is in the report. */
export const CheckVerdict = z.enum(['passed', 'failed', 'not_verified']).meta({ id: 'CheckVerdict' })
export type CheckVerdict = z.infer<typeof CheckVerdict>

export const verdictOf = (status: CheckStatus): CheckVerdict => (status === 'passed' || status === 'failed' ? status : 'not_verified')

/** Something of the project that is not in the sandbox. */
export const MissingPart = z
  .object({
    file: z.string(),
    reason: z.string(),
    kind: z.enum(['change', 'submodule', 'lfs', 'ignored', 'git', 'service', 'package']).default('change').meta({
      description:
        'change: an edit that could not be applied; service: a test tried to connect to one; package: declared and not installed',
    }),
  })
  .meta({ id: 'MissingPart' })
export type MissingPart = z.infer<typeof MissingPart>

/** How completely the files were restored as the session left them. */
export const RestoredState = z
  .object({
    commit: z.string(),
    isInferred: z.boolean().meta({ description: 'true if the session made no commit, so the newest earlier commit was used' }),
    applied: z.number().int().meta({ description: 'file changes that were applied to the commit' }),
    missing: z
      .array(MissingPart)
      .meta({ description: 'changes that could not be applied, and parts of the project that were not restored' }),
    mayMiss: z.boolean().meta({ description: 'true if shell commands ran after the commit; their changes are not restored' }),
  })
  .meta({ id: 'RestoredState' })
export type RestoredState = z.infer<typeof RestoredState>

/** A test file or test configuration that a change affects. */
export const ChangedCheck = z
  .object({ file: z.string(), kind: z.enum(['test', 'configuration']), change: z.enum(['added', 'changed', 'removed']) })
  .meta({ id: 'ChangedCheck' })
export type ChangedCheck = z.infer<typeof ChangedCheck>

/** The same checks on the state before the work, in the same sandbox. */
export const CheckBefore = z
  .object({
    status: CheckStatus,
    reason: z.string().nullable(),
    passed: z.number().int().nullable(),
    failed: z.number().int().nullable(),
    total: z.number().int().nullable(),
    tests: z.array(CheckedTest),
    exitCode: z.number().int().nullable(),
  })
  .meta({ id: 'CheckBefore' })
export type CheckBefore = z.infer<typeof CheckBefore>

/** The result in one folder of a project. */
export const CheckedPart = FoundCheck.extend({
  status: CheckStatus,
  reason: z.string().nullable(),
  passed: z.number().int().nullable(),
  failed: z.number().int().nullable(),
  skipped: z.number().int().nullable(),
  total: z.number().int().nullable(),
}).meta({ id: 'CheckedPart' })
export type CheckedPart = z.infer<typeof CheckedPart>

/** The result of a project's checks. Counts are null if the runner does not list individual tests. */
export const CheckReport = z
  .object({
    status: CheckStatus,
    reason: z.string().nullable().meta({ description: 'why the work is not verified; null if it is' }),
    runner: CheckRunner.nullable(),
    command: z.string().nullable(),
    passed: z.number().int().nullable(),
    failed: z.number().int().nullable(),
    skipped: z.number().int().nullable(),
    total: z.number().int().nullable(),
    tests: z.array(CheckedTest).meta({ description: 'at most 5,000; tests that did not pass come first' }),
    exitCode: z.number().int().nullable(),
    outputTail: z.string(),
    durationMs: z.number(),
    parts: z.array(CheckedPart).default([]).meta({
      description: 'the results in folders, if checks of more than one were run; `runner` and `command` are those of the first',
    }),
    others: z.array(FoundCheck).meta({ description: 'what was found and not run: other checks, and tests that a runner did not take' }),
    restored: RestoredState.nullable().meta({ description: 'null if the current files were checked' }),
    changedChecks: z.array(ChangedCheck).default([]).meta({
      description: 'checks that the change affects. Their earlier versions were run, so the change to them has no effect on the result',
    }),
    before: CheckBefore.nullable().default(null).meta({ description: 'null if the state before was not run' }),
    knownFailures: z
      .array(z.string())
      .default([])
      .meta({ description: 'tests that failed before the work, too; they do not count against it' }),
    newFailures: z.array(z.string()).default([]).meta({ description: 'tests that passed before the work, and not after it' }),
    missing: z
      .array(MissingPart)
      .default([])
      .meta({ description: 'parts of the project that were not in the sandbox; more are in `restored`' }),
    isDoubted: z.boolean().default(false).meta({ description: 'true if the results may be forged, so a pass is not trusted' }),
    isolation: z.string().nullable().meta({ description: 'the engine of the sandbox; null if nothing was run' }),
    reward: z.number().nullable().default(null).meta({ description: 'the reward from the tests of a Harbor task; 1 is a pass' }),
  })
  .meta({ id: 'CheckReport' })
export type CheckReport = z.infer<typeof CheckReport>

/** The newest result of a session's checks. */
export const KeptCheck = z
  .object({
    at: Instant,
    counts: z.boolean().meta({ description: 'true if the score of the session uses it, which ends with the next call' }),
    calls: z.number().int().meta({ description: 'number of calls that the session had at that time' }),
    report: CheckReport,
  })
  .meta({ id: 'KeptCheck' })
export type KeptCheck = z.infer<typeof KeptCheck>

/** Results of checks of many sessions. */
export const BulkChecks = z
  .object({
    traces: z.number().int(),
    passed: z.number().int(),
    failed: z.number().int(),
    error: z.number().int(),
    none: z.number().int(),
    notRestorable: z.number().int().meta({ description: 'the files that the session left cannot be restored' }),
    notRun: z.number().int().meta({ description: 'not run for another reason, which `problems` has' }),
    scored: z.number().int().meta({ description: 'results that scores use' }),
    problems: z.array(z.object({ traceId: TraceId, message: z.string() })).meta({ description: 'the first 100' }),
  })
  .meta({ id: 'BulkChecks' })
export type BulkChecks = z.infer<typeof BulkChecks>
