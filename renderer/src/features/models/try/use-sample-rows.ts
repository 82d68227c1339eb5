import { useQuery } from '@tanstack/react-query'
import type { DatasetRow } from '#contracts/entities/dataset.ts'
import { api } from '#renderer/api/client.ts'
import { datasetKeys } from '#renderer/api/datasets.ts'

const SAMPLE_ROWS = 20

/** Held-out rows of a model's data set, or training rows if none were held out. */
export function useSampleRows(datasetId: string | null): { rows: DatasetRow[]; isHeldOut: boolean } {
  const { data } = useQuery({
    queryKey: datasetKeys.samples(datasetId ?? ''),
    queryFn: async ({ signal }) => {
      const read = async (split?: 'val' | 'test') =>
        (await api.listDatasetRows({ params: { id: datasetId ?? '' }, query: { limit: SAMPLE_ROWS, ...(split && { split }) }, signal }))
          .items
      const val = await read('val')
      const heldOut = val.length > 0 ? val : await read('test')
      return heldOut.length > 0 ? { rows: heldOut, isHeldOut: true } : { rows: await read(), isHeldOut: false }
    },
    enabled: datasetId !== null,
  })
  return data ?? { rows: [], isHeldOut: false }
}
