import type { Run } from '#contracts/entities/run.ts'
import { listSettings } from '../setting-list.ts'
import { PRESET_WORDS, STRATEGY_WORDS } from '../words.ts'

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
        ['Strategy', STRATEGY_WORDS[run.strategy].label],
        ['Base model', wordOf(run.baseModel)],
        ['Teacher', run.teacher === null ? 'none' : wordOf(run.teacher)],
        ['Data set', run.datasetName ?? run.datasetId ?? 'a file'],
        ['Preset', PRESET_WORDS[run.preset].label],
        ['Device used', run.device ?? 'not yet known'],
        ...listSettings(run.settings, run.strategy).map(({ label, value }): [string, string] => [label, value]),
      ]),
  )
  const names = [...new Set(settingsOfRuns.flatMap((values) => [...values.keys()]))]
  return names
    .map((name) => ({ name, values: settingsOfRuns.map((values) => values.get(name) ?? null) }))
    .filter(({ values }) => values.some((value) => value !== values[0]))
}
