import type { RunRequest } from '#contracts/entities/run.ts'
import type { TrainSettings } from '#contracts/trainer.ts'
import type { Core } from '#server/core.ts'
import type { Materials } from './materials.ts'
import { requiredColumns } from './plan/check-row.ts'
import type { RowsWrittenInput } from './rows-written.job.ts'

const ROWS_JOB = new URL('./rows-written.job.ts', import.meta.url)

/** Copies rows as the trainers read them: those written for other programs, and those of a mix. */
export const createCopyRows =
  (workers: Core['workers']) =>
  async (
    { files, mix }: Pick<Materials, 'files' | 'mix'>,
    to: Materials['files'],
    { strategy, shellTasks }: RunRequest,
    settings: TrainSettings,
  ): Promise<void> => {
    for (const split of ['train', 'val'] as const) {
      const [source, target] = [files[split], to[split]]
      if (source === null || target === null) continue
      const mixed = split === 'train' ? mix.map(({ train, weight }) => ({ file: train, weight })) : []
      const required = requiredColumns(strategy, settings, shellTasks !== undefined)
      const input: RowsWrittenInput = { from: [{ file: source, weight: 1 }, ...mixed], to: target, strategy, required }
      await workers.run(ROWS_JOB, input, { lane: 'query' })
    }
  }
export type CopyRows = ReturnType<typeof createCopyRows>
