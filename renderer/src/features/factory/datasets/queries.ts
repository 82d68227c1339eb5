import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { BalanceBy, SplitName } from '#contracts/entities/dataset.ts'
import { api } from '#renderer/api/client.ts'
import { datasetKeys } from '#renderer/api/datasets.ts'
import { toast } from '#renderer/ui/toast.tsx'
import { describeError } from '#renderer/ui/states.tsx'
import { cursorQuery, BY_CURSOR } from '#renderer/ui/lists/pages.ts'

const PAGE = 100

export const useDatasets = () =>
  useInfiniteQuery({
    queryKey: [...datasetKeys.all, 'list'],
    queryFn: ({ pageParam, signal }) => api.listDatasets({ query: { limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

export const useDataset = (id: string) =>
  useQuery({ queryKey: datasetKeys.one(id), queryFn: ({ signal }) => api.getDataset({ params: { id }, signal }) })

export const useGroups = (id: string) =>
  useQuery({ queryKey: [...datasetKeys.all, 'groups', id], queryFn: ({ signal }) => api.groupDataset({ params: { id }, signal }) })

export const useRows = (id: string, filter: { split?: SplitName; traceId?: string; by?: BalanceBy; group?: string }) =>
  useInfiniteQuery({
    queryKey: [...datasetKeys.all, 'rows', id, filter],
    queryFn: ({ pageParam, signal }) =>
      api.listDatasetRows({ params: { id }, query: { ...filter, limit: 50, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

export const useDropped = (id: string, filter: { stage?: string; reason?: string }) =>
  useInfiniteQuery({
    queryKey: [...datasetKeys.all, 'dropped', id, filter],
    queryFn: ({ pageParam, signal }) =>
      api.listDroppedRows({ params: { id }, query: { ...filter, limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

export const useComparison = (a: string, b: string) =>
  useInfiniteQuery({
    queryKey: [...datasetKeys.all, 'compare', a, b],
    queryFn: ({ pageParam, signal }) => api.compareDatasets({ query: { a, b, limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
    enabled: a !== '' && b !== '' && a !== b,
  })

export const useCollections = () =>
  useQuery({ queryKey: [...datasetKeys.all, 'collections'], queryFn: ({ signal }) => api.listCollections({ signal }) })

/** Removes a version, with undo. */
export function useRemoveDataset(onDone: () => void) {
  const queries = useQueryClient()
  const refetch = () => queries.invalidateQueries({ queryKey: datasetKeys.all })
  const restore = (id: string) =>
    api.restoreDataset({ params: { id }, body: {} }).then(refetch, (error: unknown) => {
      toast.error("Couldn't restore the version", describeError(error).message)
    })
  return useMutation({
    mutationFn: (id: string) => api.deleteDataset({ params: { id }, query: {} }),
    onSuccess: (removed) => {
      onDone() // a message updates the lists
      toast.undo(`${removed.name} v${removed.version} removed`, () => void restore(removed.id))
    },
    meta: { title: "Couldn't remove the version" },
  })
}
