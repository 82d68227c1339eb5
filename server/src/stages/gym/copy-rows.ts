import type { RunRequest } from '#contracts/entities/run.ts'
import type { TrainSettings } from '#contracts/trainer.ts'
import type { Core } from '#server/core.ts'
import type { Materials } from './materials.ts'
import { requiredColumns } from './plan/check-row.ts'
import type { WriteRowsInput } from './write-rows.job.ts'

const ROWS_JOB = new URL('./write-rows.job.ts', import.meta.url)

/** Copies rows in the format of the trainers, if they are in another program's format or come from a mix. */
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
      const mixedFiles = split === 'train' ? mix.map(({ train, weight }) => ({ file: train, weight })) : []
      const required = requiredColumns(strategy, settings, shellTasks !== undefined)
      const input: WriteRowsInput = { from: [{ file: source, weight: 1 }, ...mixedFiles], to: target, strategy, required }
      await workers.run(ROWS_JOB, input, { lane: 'query' })
    }
  }
export type CopyRows = ReturnType<typeof createCopyRows>
