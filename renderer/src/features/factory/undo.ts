import { create } from 'zustand'
import { describeError } from '#renderer/ui/states.tsx'
import { toast } from '#renderer/ui/toast.tsx'

interface Act {
  label: string
  undo: () => Promise<unknown>
}

/** What was done in this window and can be taken back, newest last. */
const useDone = create<{ acts: readonly Act[] }>(() => ({ acts: [] }))
const MOST_ACTS = 100
const offers = new Map<Act, string | number>()

/**
 * Does something that can be taken back by the toast or by `z`; false, and told, when it failed. It can be taken back
 * from the moment it begins: the page may show its effect before the call has come back.
 */
export async function perform(label: string, work: () => Promise<() => Promise<unknown>>): Promise<boolean> {
  const done = work()
  const act: Act = { label, undo: async () => (await done)() }
  useDone.setState(({ acts }) => ({ acts: [...acts, act].slice(-MOST_ACTS) }))
  try {
    await done
  } catch (error) {
    forget(act)
    fail(`${label}: not done`, error)
    return false
  }
  if (isOpen(act)) {
    offers.set(
      act,
      toast.undo(label, () => void takeBack(act)),
    )
  }
  return true
}

const isOpen = (act: Act) => useDone.getState().acts.includes(act)
const forget = (act: Act) => useDone.setState(({ acts }) => ({ acts: acts.filter((known) => known !== act) }))

/** Takes back the newest act. */
export async function undoNewest(): Promise<void> {
  const act = useDone.getState().acts.at(-1)
  if (act) await takeBack(act)
  else toast.info('Nothing to undo')
}

async function takeBack(act: Act): Promise<void> {
  if (!isOpen(act)) return
  const offer = offers.get(act)
  if (offer !== undefined) toast.dismiss(offer)
  offers.delete(act)
  forget(act)
  try {
    await act.undo()
    toast.info(`Undone: ${act.label}`)
  } catch (error) {
    fail(`${act.label}: not undone`, error)
  }
}

function fail(title: string, error: unknown): void {
  const { message, hint } = describeError(error)
  toast.error(title, hint ? `${message} ${hint}` : message)
}
