import type { PlanNote } from '#contracts/entities/run.ts'
import type { TrainSettings } from '#contracts/trainer.ts'
import type { CheckedRows } from './rows.job.ts'

/** A change that leaves out less of the rows. `apply` is null if no setting can do it. */
export interface KeepMore {
  hint: string
  apply: PlanNote['apply']
}

type Lengths = NonNullable<CheckedRows['lengths']>

export interface KeepMoreInput {
  settings: Pick<TrainSettings, 'maxLength' | 'microBatch'>
  /** Lengths of the rows with these settings. */
  lengths: Pick<Lengths, 'needed' | 'learnable'>
  /** The recommended length with its trained tokens; null if it is not longer than the current one, or does not fit. */
  better: { settings: Pick<TrainSettings, 'maxLength' | 'microBatch'>; trained: number | null } | null
  contextLength: number | null
  fits: boolean
}

/** Suggests only lengths that the model supports and the memory can hold. Null: the run itself does not fit yet. */
export function keepMore({ settings, lengths: { needed, learnable }, better, contextLength, fits }: KeepMoreInput): KeepMore | null {
  if (needed === null) return { hint: 'Choose a base model with another chat template.', apply: null }
  if (better !== null) {
    const { maxLength, microBatch } = better.settings
    const isSmaller = microBatch !== settings.microBatch
    const microBatchText = isSmaller && microBatch !== null ? ` and the micro-batch size to ${microBatch}` : ''
    const share = learnable > 0 && better.trained !== null ? (100 * better.trained) / learnable : null
    const effect =
      needed <= maxLength ? 'all of them' : share === null ? 'more of them' : `${share.toFixed(1)} % of the tokens to learn from`
    return {
      hint: `Set the max length to ${maxLength}${microBatchText} to keep ${effect}.`,
      apply: { maxLength, ...(isSmaller && { microBatch }) },
    }
  }
  if (!fits) return null
  if (contextLength !== null && needed > contextLength)
    return { hint: `Choose a base model that supports more than ${contextLength} tokens to keep them.`, apply: null }
  return { hint: 'Longer rows do not fit the memory. Choose a smaller base model to keep them.', apply: null }
}
