import type { Channel } from '#server/adapters/sandbox/index.ts'

export interface InterruptTarget {
  channel: Channel
  isTerminal: boolean
  /** Whether the command ends within this time. */
  endsWithin: (seconds: number) => Promise<boolean>
  /** Requests the end marker again: an interrupt discards the rest of the line, which would have printed it. */
  requestEnd: () => void
  onSignal: (signal: 'INT' | 'QUIT' | 'KILL') => void
  /** How long each step may take. */
  graceSec: number
}

export const INTR = '\x03'
const QUIT = '\x1c'
const KILL_EVERY_SEC = 0.05
/**
 * Waits first, because a command that has just written may be about to start a program. An interrupt while bash starts a
 * program does not work: on a terminal bash can take it for the end of its input; with pipes the program continues.
 */
const DELAY_SEC = 0.03
/** Repeated interrupts, each after a share of the grace time. Descendants first: bash may be reading its next line, which an interrupt discards. */
const REPEATS = [
  ['descendants', 0.1],
  ['all', 0.4],
] as const

/** Does what Ctrl-C does. With pipes the signal goes to the shell and all descendants: otherwise the rest of a command list would run. */
export async function interrupt(target: InterruptTarget): Promise<boolean> {
  const { channel, isTerminal, endsWithin, requestEnd, graceSec } = target
  if (await endsWithin(DELAY_SEC)) return true
  target.onSignal('INT')
  if (isTerminal) return typeKey(INTR, target)
  await channel.signal('INT', 'all')
  for (const [to, share] of REPEATS) {
    if (await endsWithin(share * graceSec)) return true
    await channel.signal('INT', to)
  }
  requestEnd()
  return endsWithin(0.5 * graceSec)
}

/** Stops a command with increasingly strong signals, but not the shell. False: the shell does not answer. */
export async function stopCommand(target: InterruptTarget): Promise<boolean> {
  const { channel, isTerminal, endsWithin, requestEnd, onSignal, graceSec } = target
  if (await interrupt(target)) return true
  if (isTerminal) {
    onSignal('QUIT')
    if (await typeKey(QUIT, target)) return true
  }
  onSignal('KILL')
  for (let waited = 0; waited < graceSec; waited += KILL_EVERY_SEC) {
    await channel.signal('KILL', 'descendants') // a command list continues with its next program
    if (await endsWithin(KILL_EVERY_SEC)) return true
    requestEnd()
  }
  return false
}

/**
 * A program that is about to end may still read the request for the end marker, so it is repeated, each time later. A key
 * that reaches the shell between two programs is lost, so it is typed a second time.
 */
async function typeKey(key: string, { channel, endsWithin, requestEnd, graceSec }: InterruptTarget): Promise<boolean> {
  const waits = [0.01, 0.04, 0.16, 0.64].map((share) => share * graceSec)
  for (const [index, wait] of waits.entries()) {
    if (index === 0 || index === 3) channel.input.write(key)
    if (await endsWithin(wait)) return true
    requestEnd()
  }
  return endsWithin(0.15 * graceSec)
}
