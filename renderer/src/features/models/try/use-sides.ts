import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Model, Serving } from '#contracts/entities/model.ts'
import { answered } from '#renderer/api/answer.ts'
import { api } from '#renderer/api/client.ts'
import { modelKeys, useServings } from '#renderer/api/models.ts'

export type SideId = 'base' | 'trained'
export const SIDES: readonly SideId[] = ['base', 'trained']
export const SIDE_WORDS: Record<SideId, string> = { base: 'Base model', trained: 'Trained model' }

/** Whether this model and its base model are loaded, and functions to load and unload them. */
export function useSides(model: Model) {
  const queries = useQueryClient()
  const servings = useServings()
  const items = servings.data?.items ?? []
  const loaded: Record<SideId, Serving | null> = {
    base: items.find(({ modelId, label }) => modelId === null && label === model.lineage.baseModel) ?? null,
    trained: items.find(({ modelId }) => modelId === model.id) ?? null,
  }
  const start = useMutation({
    mutationFn: ({ side, artifact }: { side: SideId; artifact: string | null }) =>
      api.startServing({ params: { id: model.id }, body: side === 'base' ? { base: true } : artifact === null ? {} : { artifact } }),
    ...answered(queries, {
      key: () => modelKeys.servings,
      apply: (serving: Serving) =>
        void queries.setQueryData<{ items: Serving[] }>(modelKeys.servings, (before) => ({
          items: [...(before?.items ?? []).filter(({ id }) => id !== serving.id), serving], // the server also returns a serving that was already loaded
        })),
    }),
    meta: { quiet: true },
  })
  const stop = useMutation({
    mutationFn: (id: string) => api.stopServing({ params: { serving: id } }),
    ...answered(queries, {
      key: () => modelKeys.servings,
      apply: (remaining: { items: Serving[] }) => void queries.setQueryData(modelKeys.servings, remaining),
    }),
    meta: { title: "Couldn't unload the model" },
  })
  return {
    loaded,
    otherServings: items.filter((one) => one !== loaded.base && one !== loaded.trained && one.state !== 'idle'),
    error: servings.error ?? start.error,
    starting: start.isPending ? start.variables.side : null,
    load: (side: SideId, artifact: string | null = null) => start.mutate({ side, artifact }),
    stop: (serving: Serving) => {
      start.reset()
      stop.mutate(serving.id)
    },
  }
}
