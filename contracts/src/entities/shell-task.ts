import { z } from 'zod'
import { HubId, HubRevision } from './base-model.ts'
import { isBlankScript } from '../blank-script.ts'
import { Instant } from './common.ts'

export const ShellTaskId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/)
  .meta({ id: 'ShellTaskId' })

/** A named set of stored tasks, such as `train`, `test`, `starter` or `toy`. Held-out splits are never used for training. */
export const ShellSplit = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/)
  .meta({ id: 'ShellSplit' })

export const ShellVerdictName = z
  .enum(['setup_ok', 'fails_untouched', 'solvable', 'not_trivial', 'no_leak', 'side_effect_free'])
  .meta({ id: 'ShellVerdictName' })
export type ShellVerdictName = z.infer<typeof ShellVerdictName>

/** A command that was run for a verdict, with its result. */
export const ShellEvidence = z
  .object({
    note: z.string().meta({ description: 'what it shows, as a sentence' }),
    command: z.string().nullable(),
    exitCode: z.number().int().nullable(),
    timedOut: z.boolean(),
    outputTail: z.string(),
    ms: z.number().nullable(),
  })
  .meta({ id: 'ShellEvidence' })
export type ShellEvidence = z.infer<typeof ShellEvidence>

/** `unknown` means that the verdict could not be determined, for example because the engine failed. It is not a failure. */
export const ShellVerdict = z
  .object({ name: ShellVerdictName, verdict: z.enum(['pass', 'fail', 'unknown']), evidence: z.array(ShellEvidence) })
  .meta({ id: 'ShellVerdict' })
export type ShellVerdict = z.infer<typeof ShellVerdict>

/** The result of a validation. */
export const ShellValidation = z
  .object({
    status: z.enum(['valid', 'invalid', 'unknown']),
    verdicts: z.array(ShellVerdict).meta({ description: 'only setup_ok if the set-up failed' }),
    engine: z.string(),
    imageDigest: z.string().nullable(),
    at: Instant,
    durationMs: z.number(),
  })
  .meta({ id: 'ShellValidation' })
export type ShellValidation = z.infer<typeof ShellValidation>

/** The content of a task. */
export const ShellTaskBody = z
  .object({
    task: z.string().trim().min(1).max(100_000).meta({ description: 'what to achieve' }),
    setup: z.array(z.string().max(1_048_576)).max(1000).meta({ description: 'commands that run in this order before the episode' }),
    check: z
      .string()
      .min(1)
      .max(1_048_576)
      .refine((check) => !isBlankScript(check), 'has no command, so it would always pass')
      .meta({ description: 'a command; exit code 0 means solved' }),
    difficulty: z.number().int().min(1).max(4).nullable(),
    referenceSolution: z.string().max(1_048_576).nullable(),
  })
  .meta({ id: 'ShellTaskBody' })
export type ShellTaskBody = z.infer<typeof ShellTaskBody>

export const ShellTaskSource = z.enum(['imported', 'starter', 'generated', 'session', 'own']).meta({ id: 'ShellTaskSource' })
export type ShellTaskSource = z.infer<typeof ShellTaskSource>

const ShellTaskBase = ShellTaskBody.extend({
  id: ShellTaskId,
  split: ShellSplit,
  isHeldOut: z.boolean(),
  source: ShellTaskSource,
  extra: z.record(z.string(), z.unknown()).meta({ description: 'other fields of the imported row' }),
  contentHash: z.string(),
  createdAt: Instant,
})

export const ShellTask = ShellTaskBase.extend({
  validation: ShellValidation.nullable().meta({ description: 'null if not validated since its last change' }),
}).meta({ id: 'ShellTask' })
export type ShellTask = z.infer<typeof ShellTask>

/** A task without the evidence of its validation, for lists and episodes. */
export const ShellTaskItem = ShellTaskBase.extend({
  validation: ShellValidation.pick({ status: true, at: true })
    .nullable()
    .meta({ description: 'null if not validated since its last change' }),
}).meta({ id: 'ShellTaskItem' })
export type ShellTaskItem = z.infer<typeof ShellTaskItem>

/** The result of an import job. */
export const ShellTaskImport = z
  .object({
    imported: z.number().int(),
    duplicates: z.object({
      exact: z.number().int().meta({ description: 'the same except for case and spaces' }),
      near: z.number().int().meta({ description: 'nearly the same tasks that were excluded' }),
    }),
    needsDocker: z
      .array(z.object({ line: z.number().int(), reason: z.string() }))
      .meta({ description: 'imported lines whose set-up needs a sandbox with a separate operating system; at most 2,000' }),
    bad: z
      .array(z.object({ line: z.number().int(), reason: z.string() }))
      .meta({ description: 'lines without a valid task; the last entry counts the lines beyond 2,000' }),
  })
  .meta({ id: 'ShellTaskImport' })
export type ShellTaskImport = z.infer<typeof ShellTaskImport>

/** The files of a data set on the hub that an import into a split reads. */
export const HubShellTasks = z
  .object({
    id: HubId,
    revision: HubRevision,
    page: z.string(),
    license: z.string().nullable(),
    gated: z.boolean(),
    private: z.boolean(),
    files: z.array(z.object({ path: z.string(), bytes: z.number() })),
    leftOut: z.array(z.string()).meta({ description: 'other files with rows, which belong to other parts of the set' }),
    bytes: z.number(),
    bytesHere: z.number().meta({ description: 'bytes of these files that are already in the folder of downloads' }),
    problem: z.string().nullable().meta({ description: 'why nothing can be imported into this split' }),
  })
  .meta({ id: 'HubShellTasks' })
export type HubShellTasks = z.infer<typeof HubShellTasks>

/** The result of a validation job. */
export const ShellTaskValidated = z
  .object({
    validated: z.number().int(),
    valid: z.number().int(),
    invalid: z.number().int(),
    unknown: z.number().int(),
    gone: z.number().int().meta({ description: 'tasks that were removed or changed meanwhile' }),
  })
  .meta({ id: 'ShellTaskValidated' })
export type ShellTaskValidated = z.infer<typeof ShellTaskValidated>

/** The result of a task's check in a sandbox. */
export const ShellTaskCheck = z
  .object({
    solved: z.boolean().nullable().meta({ description: 'null if the check took too long or was killed' }),
    exitCode: z.number().int(),
    timedOut: z.boolean(),
    outputTail: z.string(),
    durationMs: z.number(),
  })
  .meta({ id: 'ShellTaskCheck' })
export type ShellTaskCheck = z.infer<typeof ShellTaskCheck>
