import type { Run } from '#contracts/entities/run.ts'
import { STRATEGY_WORDS } from '../words.ts'

const text = (value: unknown): string =>
  value === null || value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value)

/** Settings by path, in the order of the contract. */
export function flatSettings(settings: object, before = ''): [string, string][] {
  return Object.entries(settings).flatMap(([name, value]): [string, string][] => {
    const path = before === '' ? name : `${before}.${name}`
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? flatSettings(value as object, path)
      : [[path, text(value)]]
  })
}

interface Differing {
  name: string
  /** In the order of the runs; null: the run has no such setting. */
  values: (string | null)[]
}

/** The settings that differ between these runs; models by their names. */
export function configDiff(runs: readonly Run[], wordOf: (model: string) => string): Differing[] {
  const each = runs.map(
    (run) =>
      new Map<string, string>([
        ['strategy', STRATEGY_WORDS[run.strategy].label],
        ['base model', wordOf(run.baseModel)],
        ['teacher', run.teacher === null ? 'none' : wordOf(run.teacher)],
        ['data set', run.datasetName ?? run.datasetId ?? 'a file'],
        ['preset', run.preset],
        ['device', run.device ?? 'unknown'],
        ...flatSettings(run.settings),
      ]),
  )
  const names = [...new Set(each.flatMap((values) => [...values.keys()]))]
  return names
    .map((name) => ({ name, values: each.map((values) => values.get(name) ?? null) }))
    .filter(({ values }) => values.some((value) => value !== values[0]))
}
