import { useCallback } from 'react'
import { useModelNames } from '#renderer/api/models.ts'

/** The path of a model that a run of this app produced; the group is the id of the run and of the model. */
const OWN_MODEL_PATH = /\/([a-z2-7]{26})\/(?:final|merged)\/?$/

/** The display name of a model: its own name if a run of this app produced it, else the last part of its path or Hub id. */
export function modelWord(model: string, names: ReadonlyMap<string, string>): string {
  const own = OWN_MODEL_PATH.exec(model)?.[1]
  if (own !== undefined) return names.get(own) ?? `run ${own.slice(0, 8)}`
  return model.split('/').findLast(Boolean) ?? model
}

const NO_NAMES: ReadonlyMap<string, string> = new Map()

/** Returns a function that gives the display name of a model. */
export function useModelWord(): (model: string) => string {
  const { data = NO_NAMES } = useModelNames()
  return useCallback((model) => modelWord(model, data), [data])
}
