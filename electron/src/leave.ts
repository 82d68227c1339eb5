import { type BrowserWindow, dialog } from 'electron'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Backend } from './backend.ts'

/** What happens when the user closes the window or quits. */
export type Leaving = 'quit' | 'hide' | 'stay'

/** After this long without an answer the app quits, which pauses the runs; a session of the desktop that ends does not wait. */
const ANSWER_MS = 30_000
const SERVER_MS = 2000
const CHOICES = ['Pause them and quit', 'Keep running in the background', 'Stop them and quit', 'Cancel'] as const
const [PAUSE, KEEP, STOP] = [0, 1, 2]

const NOT_STOPPED_CHOICES = ['Quit', 'Cancel'] as const

type Ask = (request: { message: string; detail: string; choices: readonly string[]; signal: AbortSignal }) => Promise<number>

/** Asks only if agents are working. Paused runs keep their files and their conversation. */
export async function howToLeave(backend: Pick<Backend, 'activeRuns' | 'stopRuns'>, ask: Ask): Promise<Leaving> {
  const none = sleep(SERVER_MS, [], { ref: false })
  const runs = await Promise.race([backend.activeRuns(), none]).catch(() => []) // a server that does not answer does not keep the user
  if (runs.length === 0) return 'quit'
  const signal = AbortSignal.timeout(ANSWER_MS)
  const names = runs.slice(0, 5).map(({ title }) => `• ${title}`)
  const more = runs.length > names.length ? [`and ${runs.length - names.length} more`] : []
  const answer = await ask({
    message: runs.length === 1 ? 'An agent is working.' : `${runs.length} agents are working.`,
    choices: CHOICES,
    detail: [...names, ...more, '', 'A paused run goes on from where it is when you resume it. A stopped one keeps its change.'].join('\n'),
    signal,
  })
  if (signal.aborted || answer === PAUSE) return 'quit'
  if (answer === KEEP) return 'hide'
  if (answer !== STOP) return 'stay'
  const failure = await backend.stopRuns(runs).then(
    () => null,
    (error: unknown) => (error as Error).message,
  )
  if (failure === null) return 'quit'
  const late = AbortSignal.timeout(ANSWER_MS)
  const second = await ask({
    message: 'Not every agent could be stopped.',
    detail: `${failure}\n\nIf you quit, those that still work are paused. Cancel and stop them on the page Agents, or stop them there after the next start.`,
    choices: NOT_STOPPED_CHOICES,
    signal: late,
  })
  return late.aborted || second === 0 ? 'quit' : 'stay'
}

export const askIn =
  (window: BrowserWindow): Ask =>
  async ({ message, detail, choices, signal }) => {
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      title: 'Bash Gym',
      message,
      detail,
      buttons: [...choices],
      defaultId: 0,
      cancelId: choices.length - 1,
      noLink: true,
      signal,
    })
    return response
  }
