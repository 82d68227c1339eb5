import type { TrainStrategy } from '#contracts/trainer.ts'
import { ALL_FIELDS, fitsStrategy } from './new/fields.ts'
import type { SettingField } from './new/setting-field.ts'

export interface ListedSetting {
  /** The name in the contract: `epochs`, `method.rank`. */
  path: string
  label: string
  value: string
}

/** Settings that the form does not have as a field. */
const OTHERS: readonly SettingField[] = [
  { path: 'method.targets', label: 'Layers', meaning: 'The layers that get an adapter.', kind: 'list' },
  { path: 'rewards', label: 'Rewards', meaning: 'How sampled answers are rewarded.', kind: 'list', strategies: ['grpo', 'rlvr'] },
]

/** The settings that a strategy uses, with the words and in the order of the form. */
export function listSettings(settings: object, strategy: TrainStrategy): ListedSetting[] {
  return [...ALL_FIELDS, ...OTHERS].flatMap((field) => {
    const value = valueAt(settings, field.path.split('.'))
    return value === undefined || !fitsStrategy(field, strategy)
      ? []
      : [{ path: field.path, label: field.label, value: decidedBySteps(field.path, settings) ? 'by max steps' : textOf(field, value) }]
  })
}

/** Max steps replaces the epochs, which may be more or fewer. */
const decidedBySteps = (path: string, settings: object): boolean => path === 'epochs' && typeof valueAt(settings, ['maxSteps']) === 'number'

/** Null also if a part of the path is null (no early stopping); undefined if there is no such setting. */
function valueAt(value: unknown, [name, ...inner]: string[]): unknown {
  if (name === undefined || value === null || value === undefined) return value
  return valueAt((value as Record<string, unknown>)[name], inner)
}

function textOf({ none, options, kind }: SettingField, value: unknown): string {
  if (value === null) return none ?? 'none'
  if (kind === 'switch') return value === true ? 'on' : 'off'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(itemText).join(', ')
  return options?.find((option) => option.value === value)?.label ?? itemText(value)
}

/** Rewards are objects with a kind. */
const itemText = (item: unknown): string =>
  typeof item === 'string'
    ? item
    : typeof item === 'object' && item !== null && 'kind' in item
      ? String(item.kind).replaceAll('_', ' ')
      : JSON.stringify(item)
