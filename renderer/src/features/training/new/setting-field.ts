import type { TrainStrategy } from '#contracts/trainer.ts'

/** A setting as the form shows it. `path` is its place in the settings; `none` is what stands for null there. */
export interface SettingField {
  path: string
  label: string
  meaning: string
  kind: 'number' | 'switch' | 'choice' | 'list' | 'text'
  options?: readonly { value: string; label: string }[]
  /** The word for "not at all", where that is a choice. */
  none?: string
  /** Of these strategies only. */
  strategies?: readonly TrainStrategy[]
}
