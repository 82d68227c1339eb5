import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Model } from '#contracts/entities/model.ts'
import { answered } from '#renderer/api/answer.ts'
import { api } from '#renderer/api/client.ts'
import { dropModel, modelKeys, patchModel } from '#renderer/api/models.ts'
import { toast } from '#renderer/ui/toast.tsx'
import { formatBytes } from '#renderer/ui/format.ts'
import { cursorQuery, BY_CURSOR } from '#renderer/ui/lists/pages.ts'
import type { ModelFilter } from './list/filter.ts'

const PAGE = 100

export const useModels = (filter: ModelFilter) =>
  useInfiniteQuery({
    queryKey: modelKeys.list(filter),
    queryFn: ({ pageParam, signal }) => api.listModels({ query: { ...filter, limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
    placeholderData: (before) => before,
  })

/** The newest models, including archived ones. Empty until they are fetched. */
export function useOtherModels(): Model[] {
  const current = useModels({})
  const archived = useModels({ archived: 'true' })
  return [current, archived].flatMap(({ data }) => data?.pages.flatMap(({ items }) => items) ?? [])
}

export const useLineage = (id: string) =>
  useQuery({ queryKey: modelKeys.lineage(id), queryFn: ({ signal }) => api.getModelLineage({ params: { id }, signal }) })

export const useCard = (id: string) =>
  useQuery({ queryKey: modelKeys.card(id), queryFn: ({ signal }) => api.getModelCard({ params: { id }, signal }) })

export const useComparison = (ids: readonly string[], enabled: boolean) =>
  useQuery({
    queryKey: modelKeys.comparison(ids),
    queryFn: ({ signal }) => api.compareModels({ query: { ids: [...ids] }, signal }),
    enabled,
  })

type ModelChange = NonNullable<Parameters<typeof api.patchModel>[0]['body']>

/** Changes the name, description, tags, note, star or archived state. */
export function usePatchModel() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: ModelChange & { id: string }) => api.patchModel({ params: { id }, body }),
    ...answered(queries, {
      key: ({ id }: ModelChange & { id: string }) => modelKeys.one(id),
      lists: modelKeys.lists,
      apply: (model: Model) => patchModel(queries, model),
    }),
    meta: { title: "Couldn't change the model" },
  })
}

/** The name is required, because the server checks it against the model's name. */
export function useDeleteModel(onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) => api.deleteModel({ params: { id }, query: { name } }),
    onSuccess: ({ freedBytes }, { id, name }) => {
      onDone()
      dropModel(queries, id)
      toast.done(`${name} deleted`, `${formatBytes(freedBytes)} freed.`)
    },
    meta: { title: "Couldn't delete the model" },
  })
}

export function useDeleteArtifact(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (artifact: string) => api.deleteArtifact({ params: { id, artifact } }),
    ...answered(queries, { key: () => modelKeys.one(id), lists: modelKeys.lists, apply: (model: Model) => patchModel(queries, model) }),
    meta: { title: "Couldn't delete the export" },
  })
}

/** The loaded models; the `model:servings` message keeps the list current. */
