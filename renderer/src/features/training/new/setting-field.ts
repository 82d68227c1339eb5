import type { TrainStrategy } from '#contracts/trainer.ts'

/** A setting in the form. `path` is its place in the settings. */
export interface SettingField {
  path: string
  label: string
  meaning: string
  kind: 'number' | 'switch' | 'choice' | 'list' | 'text'
  options?: readonly { value: string; label: string }[]
  /** The word for null, if null is allowed. */
  none?: string
  /** Only for these strategies. */
  strategies?: readonly TrainStrategy[]
}
