import { describeError } from '../states.tsx'
import { toast } from '../toast.tsx'

interface Act {
  label: string
  /** Comes with the way back. */
  done: Promise<() => Promise<unknown>>
  isSpent: () => boolean
}

const MOST_ACTS = 100

/** What was done on a screen and can be taken back, newest first. */
export function createUndoing() {
  let acts: readonly Act[] = []
  const offers = new Map<Act, () => void>()
  const isOpen = (act: Act) => acts.includes(act) && !act.isSpent()
  const forget = (act: Act) => (acts = acts.filter((known) => known !== act))

  /** False: it turned out that there is nothing to take back. */
  async function takeBack(act: Act): Promise<boolean> {
    if (!isOpen(act)) return false
    offers.get(act)?.()
    offers.delete(act)
    forget(act)
    const undo = await act.done.catch(() => null) // what failed was told by whoever did it
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
     * Does something that can be taken back by the toast or by `undoNewest`; false, and told, when it failed. It can be
     * taken back from the moment it begins: the page may show its effect before the call has come back. `isSpent`: it was
     * taken back in another way.
     */
    perform: async (label: string, work: () => Promise<() => Promise<unknown>>, isSpent = () => false): Promise<boolean> => {
      const done = work()
      const act: Act = { label, done, isSpent }
      acts = [...acts, act].slice(-MOST_ACTS)
      try {
        await done
      } catch (error) {
        forget(act)
        fail(`Failed: ${label}`, error)
        return false
      }
      if (isOpen(act)) {
        offers.set(
          act,
          toast.undo(label, () => void takeBack(act)),
        )
      }
      return true
    },
    /** Takes back the newest act; `nothing` says more where there is none. */
    undoNewest: async (nothing?: string): Promise<void> => {
      for (let act = acts.findLast(isOpen); act; act = acts.findLast(isOpen)) if (await takeBack(act)) return
      toast.info('Nothing to undo', nothing)
    },
  }
}

function fail(title: string, error: unknown): void {
  const { message, hint } = describeError(error)
  toast.error(title, hint ? `${message} ${hint}` : message)
}
