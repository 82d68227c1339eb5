/**
 * Which processes of a container belong to which program. Each program gets its own limit for file locks, which the
 * kernel does not apply: it passes to everything that the program starts, whatever becomes of its parents, session and
 * environment, and can be read of every process.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type Docker from 'dockerode'
import { type Answer, runInside } from './inside.ts'

/** Sets the mark $1, prints its number and becomes the program. Shells differ in the letter. */
export const MARKED = '{ ulimit -w "$1" 2>/dev/null || ulimit -x "$1"; } && shift && echo $$ && '

/** A place for one more process may have to become free first. */
const ENTER_MS = 1000
const AGAIN_MS = 20
const KILL_MS = 10_000

const LIST = `echo listed; exec grep -s -e '^State:' -e '^Max file locks' /proc/[0-9]*/status /proc/[0-9]*/limits`
const KILL = 'name=$1; shift; kill -s "$name" "$@" 2>/dev/null; exit 0'

export interface Inside {
  container: Docker.Container
  user: string
}

/** Processes with one of the marks that have not ended. Throws if the container cannot be entered. */
export async function processesOf(inside: Inside, isMark: (mark: string) => boolean): Promise<number[]> {
  const { output } = await entered(inside, LIST, [], ({ output: listing }) => listing.startsWith('listed\n'))
  const marks = new Map<number, string>()
  const dead = new Set<number>()
  for (const line of output.split('\n')) {
    const [, number, file, value] = /^\/proc\/(\d+)\/(status|limits):\D+?\s(\d+|unlimited|[A-Z]\b)/.exec(line) ?? []
    if (number === undefined) continue
    if (file === 'limits') marks.set(Number(number), value!)
    else if (value === 'Z' || value === 'X') dead.add(Number(number))
  }
  return [...marks].filter(([pid, mark]) => isMark(mark) && !dead.has(pid)).map(([pid]) => pid)
}

export async function signalProcesses(inside: Inside, name: string, pids: readonly number[]): Promise<void> {
  if (pids.length > 0) await entered(inside, KILL, [name, ...pids.map(String)], ({ code }) => code === 0)
}

/** Kills until none is left, those that are born meanwhile too. Throws if that cannot be done. */
export async function killAll(inside: Inside, isMark: (mark: string) => boolean): Promise<void> {
  for (const until = performance.now() + KILL_MS; ;) {
    const left = await processesOf(inside, isMark)
    if (left.length === 0) return
    if (performance.now() > until) throw new Error('Its processes multiply faster than they can be killed.')
    await signalProcesses(inside, 'KILL', left)
  }
}

async function entered({ container, user }: Inside, script: string, args: readonly string[], isDone: (answer: Answer) => boolean) {
  for (const until = performance.now() + ENTER_MS; ;) {
    const answer = await runInside(container, user, script, args).catch((error: Error) => error)
    if (!(answer instanceof Error) && isDone(answer)) return answer
    if (performance.now() > until) throw answer instanceof Error ? answer : new Error('The sandbox has no place for another process.')
    await sleep(AGAIN_MS)
  }
}
