import { z } from 'zod'
import { Instant } from './common.ts'
import { AnsweredBy as Student } from './router.ts'

const Abandoned = z.boolean().meta({ description: 'rewound, edited or sent again: not in the conversation that the session ended with' })
const ByMod = z.boolean().meta({ description: 'answered by a mod of the client, whatever model the client names' })
const AnsweredBy = Student.optional().meta({
  description: 'of an answer of a mod: the model of yours that gave it; left out if it was another mod',
})

/** A hunk of a file edit, as in unified diffs. */
export const PatchHunk = z.object({
  oldStart: z.number().int(),
  oldLines: z.number().int(),
  newStart: z.number().int(),
  newLines: z.number().int(),
  lines: z.array(z.string()),
})

/** A file that a shell command changed, as the client recorded it. */
export const ChangedFile = z
  .object({
    path: z.string(),
    patch: z.array(PatchHunk).nullable().meta({ description: 'null: the lines were not recorded, as for a binary file' }),
    created: z.boolean(),
    deleted: z.boolean(),
  })
  .meta({ id: 'ChangedFile' })
export type ChangedFile = z.infer<typeof ChangedFile>

/**
 * One tool call. `seq` never changes: it is 1, 2, … in the main conversation, and n + k/100,000 for the k-th call of a
 * sub-agent that call n started, so steps can be sorted by it.
 */
export const Step = z
  .object({
    id: z.string(),
    seq: z.number(),
    at: Instant.nullable(),
    endedAt: Instant.nullable(),
    agent: z.string().meta({ description: '"main" or the sub-agent id' }),
    parentStepId: z.string().nullable(),
    tool: z.string(),
    command: z.string().nullable(),
    input: z.unknown(),
    output: z.string().nullable(),
    outputBytes: z.number().int(),
    outputTruncated: z.boolean().meta({ description: 'true if `output` is only the first part' }),
    success: z.boolean().nullable(),
    exitCode: z.number().int().nullable(),
    isError: z.boolean(),
    rejected: z.boolean(),
    rejectedBy: z.enum(['user', 'rule', 'interrupt']).nullable(),
    answered: z.boolean(),
    cwd: z.string().nullable(),
    repo: z.string().nullable(),
    durationMs: z.number().nullable(),
    messageId: z.string().nullable(),
    promptId: z.string().nullable(),
    file: z.string().nullable(),
    patch: z.array(PatchHunk).nullable(),
    changes: z
      .array(ChangedFile)
      .optional()
      .meta({ description: 'files that a shell command changed; left out where the client recorded none, which it does not always do' }),
    thinking: z.string().nullable(),
    text: z.string().nullable(),
    abandoned: Abandoned,
    byMod: ByMod,
    answeredBy: AnsweredBy,
  })
  .meta({ id: 'Step' })
export type Step = z.infer<typeof Step>

/** An entry on the page of a session. */
export const TranscriptItem = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('step'), id: z.string(), position: z.string(), step: Step }),
    z.object({
      kind: z.enum(['prompt', 'text', 'thinking', 'notice', 'error', 'compaction']),
      id: z.string(),
      position: z.string(),
      at: Instant.nullable(),
      agent: z.string(),
      label: z.string().nullable().meta({ description: 'kind of notice: command, shell, interrupt, notification, meta, hook …' }),
      text: z.string(),
      truncated: z.boolean(),
      model: z.string().nullable(),
      messageId: z.string().nullable().meta({ description: 'of the answer that a text or thinking belongs to' }),
      asks: z
        .enum(['begins', 'within'])
        .nullable()
        .meta({ description: 'a text other than a prompt that the model was given: it began a turn, or came during one' }),
      abandoned: Abandoned,
      byMod: ByMod,
      answeredBy: AnsweredBy,
    }),
  ])
  .meta({ id: 'TranscriptItem' })
export type TranscriptItem = z.infer<typeof TranscriptItem>

/** A step in the timeline, small enough to send a long session at once. */
export const TimelineRow = z
  .object({
    id: z.string(),
    position: z.string(),
    kind: z.string(),
    agent: z.string(),
    tool: z.string().nullable(),
    at: Instant.nullable(),
    durationMs: z.number().nullable(),
    success: z.boolean().nullable(),
    label: z.string().nullable(),
    edits: z.literal(true).optional().meta({ description: 'the step changed a file' }),
    abandoned: Abandoned,
  })
  .meta({ id: 'TimelineRow' })
export type TimelineRow = z.infer<typeof TimelineRow>
