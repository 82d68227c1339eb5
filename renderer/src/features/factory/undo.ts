import type { ReviewState } from '#contracts/entities/example.ts'
import { plural } from '#renderer/ui/format.ts'
import { createUndoing } from '#renderer/ui/lists/undo.ts'
import { STATE_WORDS } from './examples/words.ts'

/** Undo of reviews and edits in this window. */
export const { perform, undoNewest } = createUndoing()

interface ReviewCalls {
  save: () => Promise<{ bulkId: string; changed: number }>
  undo: (bulkId: string) => Promise<unknown>
  refetch: () => Promise<unknown>
}

/** Reviews `count` rows, with a single undo. False if that failed. */
export function performReview(state: ReviewState, count: number, noun: 'example' | 'pair', calls: ReviewCalls): Promise<boolean> {
  const { save, undo, refetch } = calls
  let changed: number | null = null
  const send = async () => {
    try {
      const result = await save()
      changed = result.changed
      void refetch() // not awaited, so that undo is offered at once
      return async () => {
        await undo(result.bulkId)
        await refetch()
      }
    } catch (error) {
      await refetch()
      throw error
    }
  }
  // nothing to undo if every row already had that state
  return perform(`${STATE_WORDS[state]}: ${plural(count, noun)}`, send, () => changed === 0)
}
