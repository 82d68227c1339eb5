import { useQuery } from '@tanstack/react-query'
import type { TrainStrategy } from '#contracts/trainer.ts'
import { api } from '#renderer/api/client.ts'
import { datasetKeys } from '#renderer/api/datasets.ts'
import { STRATEGY_WORDS } from '../words.ts'

/** Number of versions to choose from; the address can name an older one (`?dataset=`). */
const VERSIONS = 100

/** The newest data sets, and in `fitting` those that the strategy can use. */
export function useDatasetChoices(strategy: TrainStrategy) {
  const datasets = useQuery({
    queryKey: [...datasetKeys.all, 'choice'],
    queryFn: ({ signal }) => api.listDatasets({ query: { limit: VERSIONS }, signal }),
  })
  const kinds: readonly string[] = STRATEGY_WORDS[strategy].kinds
  return { datasets, fitting: (datasets.data?.items ?? []).filter(({ kind }) => kinds.includes(kind)) }
}
