import { onJobEnd } from './jobs.ts'
import type { Cache, Handlers } from './messages.ts'
import { forget } from './rows.ts'

/** Lists, versions, rows and comparisons of data sets. */
export const datasetKeys = {
  all: ['datasets'] as const,
  one: (id: string) => ['datasets', 'one', id] as const,
  /** A few rows of a data set, to try a model with. */
  samples: (id: string) => ['datasets', id, 'samples'] as const,
  /** Tokenizers of this machine, by which rows are measured. */
  tokenizers: ['tokenizers'] as const,
}

export const datasetMessages = ({ queries, refetch }: Cache) =>
  ({
    'dataset:added': () => refetch(datasetKeys.all),
    // Asking for the removed one again would only fail.
    'dataset:removed': ({ id }) => {
      forget(queries, datasetKeys.one(id), 'dataset_not_found')
      void queries.invalidateQueries({ queryKey: datasetKeys.all, predicate: ({ queryKey }) => !queryKey.includes(id) })
    },
    ...onJobEnd('dataset-import', () => refetch(datasetKeys.all)),
  }) satisfies Partial<Handlers>
