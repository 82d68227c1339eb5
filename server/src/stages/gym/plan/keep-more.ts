import type { PlanNote } from '#contracts/entities/run.ts'
import type { TrainSettings } from '#contracts/trainer.ts'
import type { RowsFound } from './rows.job.ts'

/** The one change with which more of the rows is trained; `apply` is null if no setting does it. */
export interface KeepMore {
  hint: string
  apply: PlanNote['apply']
}

type Lengths = NonNullable<RowsFound['lengths']>

export interface Place {
  settings: Pick<TrainSettings, 'maxLength' | 'microBatch'>
  /** Of the rows at these settings. */
  lengths: Pick<Lengths, 'needed' | 'learnable'>
  /** The recommended length with what is trained at it; null: it is no longer than this one, or does not fit. */
  better: { settings: Pick<TrainSettings, 'maxLength' | 'microBatch'>; trained: number | null } | null
  contextLength: number | null
  fits: boolean
}

/** Only lengths that the model takes and the memory holds are advised. Null: first the run itself has to fit. */
export function keepMore({ settings, lengths: { needed, learnable }, better, contextLength, fits }: Place): KeepMore | null {
  if (needed === null) return { hint: 'Choose a base model with another chat template.', apply: null }
  if (better !== null) {
    const { maxLength, microBatch } = better.settings
    const isSmaller = microBatch !== settings.microBatch
    const and = isSmaller && microBatch !== null ? ` and the micro-batch size to ${microBatch}` : ''
    const share = learnable > 0 && better.trained !== null ? (100 * better.trained) / learnable : null
    const effect =
      needed <= maxLength ? 'all of them' : share === null ? 'more of them' : `${share.toFixed(1)} % of the tokens to learn from`
    return { hint: `Set the max length to ${maxLength}${and} to keep ${effect}.`, apply: { maxLength, ...(isSmaller && { microBatch }) } }
  }
  if (!fits) return null
  if (contextLength !== null && needed > contextLength)
    return { hint: `Choose a base model that supports more than ${contextLength} tokens to keep them.`, apply: null }
  return { hint: 'Longer rows do not fit the memory. Choose a smaller base model to keep them.', apply: null }
}
