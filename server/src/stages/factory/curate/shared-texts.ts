import type { Core } from '#server/core.ts'
import type { SharedTextsInput, TextsSource } from './shared-texts.job.ts'

const JOB = new URL('./shared-texts.job.ts', import.meta.url)

/** The ids of the items whose text is in what these data sets train on, or `near` to a row of it. */
export type SharedTexts = (datasets: readonly string[], items: TextsSource, signal?: AbortSignal, near?: boolean) => Promise<string[]>

/** Finds the items whose text is in the rows of data sets. `filesOf`: the files of one that are trained on. */
export const createSharedTexts =
  ({ workers }: Pick<Core, 'workers'>, filesOf: (datasetId: string) => string[]): SharedTexts =>
  (ids, items, signal, near = false) =>
    workers.run<string[]>(JOB, { files: ids.flatMap(filesOf), items, near } satisfies SharedTextsInput, {
      lane: 'bulk',
      ...(signal && { signal }),
    })
