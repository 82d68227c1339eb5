import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from './client.ts'
import { keys } from './keys.ts'

/** The result of a run of ours, which can be trained further: the folder above is the id of run and model. */
const OWN = /\/([a-z2-7]{26})\/(?:final|merged)\/?$/

/** What people call a model: of ours its name, else the last part of a path or of a Hub id. */
export function modelWord(model: string, names: ReadonlyMap<string, string>): string {
  const own = OWN.exec(model)?.[1]
  if (own !== undefined) return names.get(own) ?? `run ${own.slice(0, 8)}`
  return model.split('/').findLast(Boolean) ?? model
}

const NOBODY: ReadonlyMap<string, string> = new Map()
const MOST = 100

/** Names of the newest models, archived ones too; read again whenever someone asks for the first time in a while. */
export function useModelWord(): (model: string) => string {
  const { data = NOBODY } = useQuery({
    queryKey: keys.modelNames,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
      const pages = await Promise.all(
        [false, true].map((archived) => api.listModels({ query: { archived: archived ? 'true' : 'false', limit: MOST }, signal })),
      )
      return new Map(pages.flatMap(({ items }) => items.map(({ id, name }) => [id, name] as const)))
    },
    staleTime: 30_000,
    structuralSharing: false,
  })
  return useCallback((model) => modelWord(model, data), [data])
}
