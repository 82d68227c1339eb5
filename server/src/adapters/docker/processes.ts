/**
 * Finds the processes of a container that belong to a program. Each program gets a different limit for file locks as its
 * mark, because the kernel does not enforce that limit, all descendants inherit it, and it can be read for every process.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type Docker from 'dockerode'
import { type ScriptResult, runInside } from './inside.ts'

/** Sets the mark $1, prints the pid and executes the program. Shells use different letters for this limit. */
export const MARK_SCRIPT = '{ ulimit -w "$1" 2>/dev/null || ulimit -x "$1"; } && shift && echo $$ && '

/** If the container has its maximum of processes, our script can start only after one has ended. */
const ENTER_MS = 1000
const RETRY_MS = 20
const KILL_MS = 10_000

const LIST = `echo listed; exec grep -s -e '^State:' -e '^Max file locks' /proc/[0-9]*/status /proc/[0-9]*/limits`
const KILL = 'name=$1; shift; kill -s "$name" "$@" 2>/dev/null; exit 0'

export interface Inside {
  container: Docker.Container
  user: string
}

/** Running processes with one of the marks. Throws if no script can start in the container. */
export async function processesOf(inside: Inside, isMark: (mark: string) => boolean): Promise<number[]> {
  const { output } = await runWithRetry(inside, LIST, [], ({ output: listing }) => listing.startsWith('listed\n'))
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
  if (pids.length > 0) await runWithRetry(inside, KILL, [name, ...pids.map(String)], ({ code }) => code === 0)
}

/** Kills all processes with one of the marks, including new ones. Throws if they start faster than they can be killed. */
export async function killAll(inside: Inside, isMark: (mark: string) => boolean): Promise<void> {
  for (const until = performance.now() + KILL_MS; ;) {
    const remaining = await processesOf(inside, isMark)
    if (remaining.length === 0) return
    if (performance.now() > until) throw new Error('Its processes multiply faster than they can be killed.')
    await signalProcesses(inside, 'KILL', remaining)
  }
}

async function runWithRetry(
  { container, user }: Inside,
  script: string,
  args: readonly string[],
  isDone: (answer: ScriptResult) => boolean,
) {
  for (const until = performance.now() + ENTER_MS; ;) {
    const answer = await runInside(container, user, script, args).catch((error: Error) => error)
    if (!(answer instanceof Error) && isDone(answer)) return answer
    if (performance.now() > until) throw answer instanceof Error ? answer : new Error('The sandbox has reached its limit of processes.')
    await sleep(RETRY_MS)
  }
}
