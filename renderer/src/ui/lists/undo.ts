import { describeError } from '../states.tsx'
import { toast } from '../toast.tsx'

interface UndoableAction {
  label: string
  /** Resolves to the function that undoes it. */
  done: Promise<() => Promise<unknown>>
  isSpent: () => boolean
}

const MAX_ACTIONS = 100

/** The actions of a screen that can be undone. */
export function createUndoing() {
  let actions: readonly UndoableAction[] = []
  const undoToasts = new Map<UndoableAction, () => void>()
  const isOpen = (act: UndoableAction) => actions.includes(act) && !act.isSpent()
  const forget = (act: UndoableAction) => (actions = actions.filter((known) => known !== act))

  /** False: there was nothing to undo. */
  async function undoAction(act: UndoableAction): Promise<boolean> {
    if (!isOpen(act)) return false
    undoToasts.get(act)?.()
    undoToasts.delete(act)
    forget(act)
    const undo = await act.done.catch(() => null) // `perform` has shown the error
    if (undo === null || act.isSpent()) return false
    try {
      await undo()
      toast.info(`Undone: ${act.label}`)
    } catch (error) {
      fail(`Couldn't undo: ${act.label}`, error)
    }
    return true
  }

  return {
    /**
     * Does something that the toast or `undoNewest` can undo. On failure it shows the error and returns false. It can be
     * undone from its start, because the page may show its effect before the call returns. `isSpent`: undone in another way.
     */
    perform: async (label: string, work: () => Promise<() => Promise<unknown>>, isSpent = () => false): Promise<boolean> => {
      const done = work()
      const act: UndoableAction = { label, done, isSpent }
      actions = [...actions, act].slice(-MAX_ACTIONS)
      try {
        await done
      } catch (error) {
        forget(act)
        fail(`Failed: ${label}`, error)
        return false
      }
      if (isOpen(act)) {
        undoToasts.set(
          act,
          toast.undo(label, () => void undoAction(act)),
        )
      }
      return true
    },
    /** Undoes the newest action; `nothing` is shown if there is none. */
    undoNewest: async (nothing?: string): Promise<void> => {
      for (let act = actions.findLast(isOpen); act; act = actions.findLast(isOpen)) if (await undoAction(act)) return
      toast.info('Nothing to undo', nothing)
    },
  }
}

function fail(title: string, error: unknown): void {
  const { message, hint } = describeError(error)
  toast.error(title, hint ? `${message} ${hint}` : message)
}
