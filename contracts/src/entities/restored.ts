import { z } from 'zod'

/** Kinds of rows that wait after a restore, because they can run, send or spend something or name where files are written. */
export const RestoredKind = z
  .enum([
    'agent-run',
    'batch',
    'rollouts',
    'generation',
    'synthetic-run',
    'training-run',
    'exam-run',
    'benchmark-run',
    'answer-run',
    'model',
    'sandbox',
    'privacy-decision',
  ])
  .meta({ id: 'RestoredKind' })
export type RestoredKind = z.infer<typeof RestoredKind>

/** An address, folder, program or command that a restored row names. */
export const RestoredName = z.object({ what: z.string(), value: z.string() }).meta({ id: 'RestoredName' })
export type RestoredName = z.infer<typeof RestoredName>

/** A row of a restored backup that is not used until the user chooses "Use again". */
export const RestoredItem = z
  .object({
    id: z.string(),
    kind: RestoredKind,
    title: z.string(),
    wasActive: z.boolean().meta({ description: 'it was queued or running when the backup was made; "Use again" also starts it' }),
    names: z.array(RestoredName).meta({ description: 'the addresses, folders and programs that it names' }),
  })
  .meta({ id: 'RestoredItem' })
export type RestoredItem = z.infer<typeof RestoredItem>

export const RestoredCount = z
  .object({
    kind: RestoredKind,
    count: z.number().int(),
    active: z.number().int().meta({ description: 'how many of them were queued or running when the backup was made' }),
  })
  .meta({ id: 'RestoredCount' })
export type RestoredCount = z.infer<typeof RestoredCount>

/** Singular and plural, for the command line and the app. */
export const RESTORED_KIND_NAMES: Readonly<Record<RestoredKind, readonly [one: string, many: string]>> = {
  'agent-run': ['agent run', 'agent runs'],
  batch: ['batch', 'batches'],
  rollouts: ['set of rollouts', 'sets of rollouts'],
  generation: ['generation of shell tasks', 'generations of shell tasks'],
  'synthetic-run': ['generation of examples', 'generations of examples'],
  'training-run': ['training run', 'training runs'],
  'exam-run': ['run of an exam', 'runs of exams'],
  'benchmark-run': ['run of a benchmark', 'runs of benchmarks'],
  'answer-run': ['run that grades answers', 'runs that grade answers'],
  model: ['model', 'models'],
  sandbox: ['sandbox', 'sandboxes'],
  'privacy-decision': ['privacy decision that keeps a value', 'privacy decisions that keep values'],
}
