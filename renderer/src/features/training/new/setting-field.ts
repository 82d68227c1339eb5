import type { TrainStrategy } from '#contracts/trainer.ts'

/** A setting in the form. `path` names it in the contract: `epochs`, `method.rank`. */
export interface SettingField {
  path: string
  label: string
  meaning: string
  kind: 'number' | 'switch' | 'choice' | 'list' | 'text'
  options?: readonly { value: string; label: string }[]
  /** The word for null, if null is allowed. */
  none?: string
  /** The strategies that have this setting; absent: all. */
  strategies?: readonly TrainStrategy[]
}
