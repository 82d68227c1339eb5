import { useQueries } from '@tanstack/react-query'
import type { Run } from '#contracts/entities/run.ts'
import { api } from '#renderer/api/client.ts'
import { datasetKeys } from '#renderer/api/datasets.ts'
import { datasetHref } from '#renderer/app/links.ts'
import { TextLink } from '#renderer/ui/link.tsx'

/** Data sets mixed into a run, with their weights; a removed data set is shown by its id. */
export function MixedIn({ mix }: { mix: NonNullable<Run['request']['mix']> }) {
  const datasets = useQueries({
    queries: mix.map(({ datasetId: id }) => ({
      queryKey: datasetKeys.one(id),
      queryFn: ({ signal }: { signal: AbortSignal }) => api.getDataset({ params: { id }, signal }),
    })),
  })
  return (
    <li>
      Mixed in:{' '}
      {mix.map(({ datasetId, weight }, at) => {
        const dataset = datasets[at]?.data
        return (
          <span key={datasetId}>
            {at === 0 ? '' : ', '}
            <TextLink href={datasetHref(datasetId)}>{dataset ? `${dataset.name} v${dataset.version}` : datasetId}</TextLink> (weight{' '}
            {weight})
          </span>
        )
      })}
    </li>
  )
}
