import type { Channel } from '#server/adapters/sandbox/index.ts'

export interface Interrupted {
  channel: Channel
  isTerminal: boolean
  /** Whether the command has ended, within this time. */
  settled: (seconds: number) => Promise<boolean>
  /** An interrupt discards the rest of the line, which would have reported the end, so the end is requested again. */
  askForEnd: () => void
  sent: (signal: 'INT' | 'QUIT' | 'KILL') => void
  /** For each step. */
  graceSec: number
}

export const INTR = '\x03'
const QUIT = '\x1c'
const KILL_EVERY_SEC = 0.05
/**
 * An interrupt that meets bash while it starts a program is half lost: on a terminal bash can take it for the end of its
 * input, with pipes it lets go of the line and the program runs on. What has just written may be about to start the next program.
 */
const BEFORE_SEC = 0.03
/** After these shares of the grace time. A program that runs on comes first: bash may read its next line already, and an interrupt would discard it. */
const AGAIN = [
  ['descendants', 0.1],
  ['all', 0.4],
] as const

/** What Ctrl-C does. With pipes it goes to the shell and all below it: to the child alone it would let the rest of a list run. */
export async function interrupt(running: Interrupted): Promise<boolean> {
  const { channel, isTerminal, settled, askForEnd, graceSec } = running
  if (await settled(BEFORE_SEC)) return true
  running.sent('INT')
  if (isTerminal) return typeAndAsk(INTR, running)
  await channel.signal('INT', 'all')
  for (const [to, share] of AGAIN) {
    if (await settled(share * graceSec)) return true
    await channel.signal('INT', to)
  }
  askForEnd()
  return settled(0.5 * graceSec)
}

/** Stops a command with growing force and keeps the shell. False: the shell does not answer. */
export async function stopCommand(running: Interrupted): Promise<boolean> {
  const { channel, isTerminal, settled, askForEnd, sent, graceSec } = running
  if (await interrupt(running)) return true
  if (isTerminal) {
    sent('QUIT')
    if (await typeAndAsk(QUIT, running)) return true
  }
  sent('KILL')
  for (let waited = 0; waited < graceSec; waited += KILL_EVERY_SEC) {
    await channel.signal('KILL', 'descendants') // a list continues with its next program
    if (await settled(KILL_EVERY_SEC)) return true
    askForEnd()
  }
  return false
}

/**
 * A program that is about to end may still read what is typed, so the end is asked for again, each time later. A key that
 * meets the shell between two programs is lost, so it is typed once more.
 */
async function typeAndAsk(key: string, { channel, settled, askForEnd, graceSec }: Interrupted): Promise<boolean> {
  const waits = [0.01, 0.04, 0.16, 0.64].map((share) => share * graceSec)
  for (const [index, wait] of waits.entries()) {
    if (index === 0 || index === 3) channel.input.write(key)
    if (await settled(wait)) return true
    askForEnd()
  }
  return settled(0.15 * graceSec)
}
