import type { Run } from '#contracts/entities/run.ts'
import { STRATEGY_WORDS } from '../words.ts'

const settingText = (value: unknown): string =>
  value === null || value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value)

/** Settings by path, in the order of the contract. */
export function flatSettings(settings: object, prefix = ''): [string, string][] {
  return Object.entries(settings).flatMap(([name, value]): [string, string][] => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? flatSettings(value as object, path)
      : [[path, settingText(value)]]
  })
}

interface SettingDifference {
  name: string
  /** In the order of the runs; null: the run has no such setting. */
  values: (string | null)[]
}

/** The settings that differ between these runs; `wordOf` gives the name of a model. */
export function configDiff(runs: readonly Run[], wordOf: (model: string) => string): SettingDifference[] {
  const settingsOfRuns = runs.map(
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
  const names = [...new Set(settingsOfRuns.flatMap((values) => [...values.keys()]))]
  return names
    .map((name) => ({ name, values: settingsOfRuns.map((values) => values.get(name) ?? null) }))
    .filter(({ values }) => values.some((value) => value !== values[0]))
}
