import { useCallback } from 'react'
import { useModelNames } from '#renderer/api/models.ts'

/** The result of a run of ours, which can be trained further: the folder above is the id of run and model. */
const OWN = /\/([a-z2-7]{26})\/(?:final|merged)\/?$/

/** What people call a model: of ours its name, else the last part of a path or of a Hub id. */
export function modelWord(model: string, names: ReadonlyMap<string, string>): string {
  const own = OWN.exec(model)?.[1]
  if (own !== undefined) return names.get(own) ?? `run ${own.slice(0, 8)}`
  return model.split('/').findLast(Boolean) ?? model
}

const NOBODY: ReadonlyMap<string, string> = new Map()

/** Display names of models by their current names. */
export function useModelWord(): (model: string) => string {
  const { data = NOBODY } = useModelNames()
  return useCallback((model) => modelWord(model, data), [data])
}
