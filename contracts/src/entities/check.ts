import { z } from 'zod'
import { Instant, TraceId } from './common.ts'

/** What runs a project's own checks. `command` is one that the caller gave. */
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

/** A way to check a project, and what shows that it is one. */
export const FoundCheck = z
  .object({ runner: CheckRunner, command: z.string(), because: z.string().meta({ description: 'the file that shows it' }) })
  .meta({ id: 'FoundCheck' })
export type FoundCheck = z.infer<typeof FoundCheck>

export const CheckStatus = z.enum(['passed', 'failed', 'error', 'none']).meta({
  id: 'CheckStatus',
  description:
    'passed: all that ran passed; failed: a test failed; error: no complete result (timeout, crash, missing runner); none: no test ran',
})
export type CheckStatus = z.infer<typeof CheckStatus>

/** How far a project was brought back to what a session left. */
export const RestoredState = z
  .object({
    commit: z.string(),
    isInferred: z.boolean().meta({ description: 'the session made no commit: the newest one from before it was taken' }),
    applied: z.number().int().meta({ description: 'changes of files that were made again on top' }),
    missing: z.array(z.object({ file: z.string(), reason: z.string() })).meta({ description: 'changes that could not be made again' }),
    mayMiss: z.boolean().meta({ description: 'commands of the shell came behind the commit; what they changed is not restored' }),
  })
  .meta({ id: 'RestoredState' })
export type RestoredState = z.infer<typeof RestoredState>

/** A test, or a file that says how tests run, which a change touched. */
export const ChangedCheck = z
  .object({ file: z.string(), kind: z.enum(['test', 'configuration']), change: z.enum(['added', 'changed', 'removed']) })
  .meta({ id: 'ChangedCheck' })
export type ChangedCheck = z.infer<typeof ChangedCheck>

/** The result of a project's checks. Counts are null if the runner reports no single tests. */
export const CheckReport = z
  .object({
    status: CheckStatus,
    reason: z.string().nullable().meta({ description: 'why there is no complete result, or none at all; null: there is one' }),
    runner: CheckRunner.nullable(),
    command: z.string().nullable(),
    passed: z.number().int().nullable(),
    failed: z.number().int().nullable(),
    skipped: z.number().int().nullable(),
    total: z.number().int().nullable(),
    tests: z.array(CheckedTest).meta({ description: 'at most 5,000; those that did not pass come first' }),
    exitCode: z.number().int().nullable(),
    outputTail: z.string(),
    durationMs: z.number(),
    others: z.array(FoundCheck).meta({ description: 'found as well, and not run' }),
    restored: RestoredState.nullable().meta({ description: 'null: the project was checked as it is' }),
    changedChecks: z
      .array(ChangedCheck)
      .default([])
      .meta({ description: 'of a change: checks that it touched. Those from before it were run, so what it did to them does not count' }),
    isolation: z.string().nullable().meta({ description: 'the engine that held the sandbox; null: nothing was run' }),
    reward: z.number().nullable().default(null).meta({ description: 'that the tests of a task of Harbor gave; 1 is a pass' }),
  })
  .meta({ id: 'CheckReport' })
export type CheckReport = z.infer<typeof CheckReport>

/** The newest result of a session's checks. */
export const KeptCheck = z
  .object({
    at: Instant,
    counts: z.boolean().meta({ description: 'the score of the session takes it, as long as there are no more calls' }),
    calls: z.number().int().meta({ description: 'that the session had then' }),
    report: CheckReport,
  })
  .meta({ id: 'KeptCheck' })
export type KeptCheck = z.infer<typeof KeptCheck>

/** Checks of many sessions, by what came of them. */
export const BulkChecks = z
  .object({
    traces: z.number().int(),
    passed: z.number().int(),
    failed: z.number().int(),
    error: z.number().int(),
    none: z.number().int(),
    notRestorable: z.number().int().meta({ description: 'the state that the session left cannot be had any more' }),
    notRun: z.number().int().meta({ description: 'for another reason, which is named' }),
    scored: z.number().int().meta({ description: 'results that scores use' }),
    problems: z.array(z.object({ traceId: TraceId, message: z.string() })).meta({ description: 'the first 100' }),
  })
  .meta({ id: 'BulkChecks' })
export type BulkChecks = z.infer<typeof BulkChecks>
