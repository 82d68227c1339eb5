import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { Model } from '#contracts/entities/model.ts'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'
import { forget, withoutRow, withRow, type Pages } from './rows.ts'

/** The registry: lists, single models, and parts of a model under `one`. */
export const modelKeys = {
  all: ['models'] as const,
  lists: ['models', 'list'] as const,
  /** Infinite query: pages of `GET /api/models`. */
  list: (query: object) => ['models', 'list', query] as const,
  /** A few models for the palette. */
  search: (q: string) => ['models', 'search', q] as const,
  /** Names by id. */
  names: ['models', 'names'] as const,
  one: (id: string) => ['models', 'one', id] as const,
  lineage: (id: string) => ['models', 'one', id, 'lineage'] as const,
  card: (id: string) => ['models', 'one', id, 'card'] as const,
  comparisons: ['models', 'compare'] as const,
  comparison: (ids: readonly string[]) => ['models', 'compare', ids] as const,
  servings: ['servings'] as const,
}

/** How many matches are read: the word may be in other fields than the name. */
const NAMED = 50
/** Models with a text in one of their fields, for the palette. Names change, so nothing is cached. */
export const useModelSearch = (q: string) =>
  useQuery({
    queryKey: modelKeys.search(q),
    queryFn: ({ signal }) => api.listModels({ query: { q, limit: NAMED }, signal }),
    enabled: q !== '',
    placeholderData: (previous) => previous,
    staleTime: 0,
  })

export const useModel = (id: string) =>
  useQuery({ queryKey: modelKeys.one(id), queryFn: ({ signal }) => api.getModel({ params: { id }, signal }) })

/** Models that are loaded, or are loaded again by the next request. */
export const useServings = () => useQuery({ queryKey: modelKeys.servings, queryFn: ({ signal }) => api.listServings({ signal }) })

/** Loads a model, or unloads it by the id of its serving. */
export function useLoadModel(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (serving: string | null) => {
      if (serving === null) await api.startServing({ params: { id }, body: {} })
      else await api.stopServing({ params: { serving } })
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: modelKeys.servings }),
    meta: { title: "Couldn't load or unload the model" },
  })
}

const MAX_NAMES = 100

/** Names of the newest models, including archived ones; cached for 30 seconds. */
export const useModelNames = () =>
  useQuery({
    queryKey: modelKeys.names,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
      const pages = await Promise.all(
        [false, true].map((archived) => api.listModels({ query: { archived: archived ? 'true' : 'false', limit: MAX_NAMES }, signal })),
      )
      return new Map(pages.flatMap(({ items }) => items.map(({ id, name }) => [id, name] as const)))
    },
    staleTime: 30_000,
    structuralSharing: false,
  })

/** Updates a model in every list and on its page. */
export function patchModel(queries: QueryClient, model: Model): void {
  queries.setQueriesData<Pages<Model>>({ queryKey: modelKeys.lists }, (data) => withRow(data, model))
  queries.setQueryData<Model>(modelKeys.one(model.id), (before) => (before ? model : before))
}

export function dropModel(queries: QueryClient, id: string): void {
  queries.setQueriesData<Pages<Model>>({ queryKey: modelKeys.lists }, (data) => withoutRow(data, id))
  forget(queries, modelKeys.one(id), 'model_not_found')
  void queries.invalidateQueries({ queryKey: modelKeys.comparisons })
}

export const modelMessages = ({ queries, refetch, refetchSoon, refetchInFlight, write, afterBreak }: Cache) => {
  const lists = refetchSoon(modelKeys.lists)
  return {
    'model:changed': ({ model }) => {
      refetchInFlight(modelKeys.one(model.id))
      patchModel(queries, model)
      // a star, a tag or the archive may add it to a list or remove it
      lists()
      refetch(modelKeys.lineage(model.id), modelKeys.card(model.id), modelKeys.comparisons)
    },
    'model:removed': ({ id }) => {
      refetchInFlight(modelKeys.lists)
      dropModel(queries, id)
    },
    'model:servings': (servings) => write(modelKeys.servings, servings),
    hello: () => afterBreak(modelKeys.servings, modelKeys.all), // after a restart the server has no model loaded
  } satisfies Partial<Handlers>
}
