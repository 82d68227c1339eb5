import type { Core } from '#server/core.ts'
import type { SharedTextsInput } from './shared-texts.job.ts'

const JOB = new URL('./shared-texts.job.ts', import.meta.url)

/** Finds the items whose text is in the rows of data sets. `filesOf`: the files of one that are trained on. */
export const createSharedTexts =
  ({ workers }: Pick<Core, 'workers'>, filesOf: (datasetId: string) => string[]) =>
  (ids: readonly string[], items: SharedTextsInput['items'], signal: AbortSignal): Promise<string[]> =>
    workers.run<string[]>(JOB, { files: ids.flatMap(filesOf), items } satisfies SharedTextsInput, { lane: 'bulk', signal })
