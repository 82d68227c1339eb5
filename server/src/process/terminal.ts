/** Starts a process on a terminal (PTY) of its own; it leads a session, with which everything in it ends. Not on Windows. */
import fs from 'node:fs'
import os from 'node:os'
import { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { birthOf, descendantsOf, type ProcessMark, sessionMembers } from './marks.ts'
import { openTerminals } from './masters.ts'

export interface TerminalSpec {
  /** An absolute path. */
  command: string
  args: readonly string[]
  cwd: string
  /** The whole environment, with TERM; PWD, SHLVL and _ are added. */
  env: Readonly<Record<string, string>>
  columns: number
  rows: number
  /** Files that the process finds open for reading, from descriptor 3 on. */
  files?: readonly string[]
  user?: { uid: number; gid: number }
}

export interface RunningTerminal extends ProcessMark {
  /** Input. */
  input: Writable
  /** Output; ends with the terminal. Unread output blocks its writer; at the end it is dropped after 0.2 s. */
  output: Readable
  /** Sizes are limited to 2 to 500; no effect after the end. */
  resize: (columns: number, rows: number) => void
  /** Resolves once the process has ended and its output has been delivered. */
  exit: Promise<{ code: number | null; signal: string | null }>
  /** SIGHUP to all of the session, after `graceMs` SIGKILL. Resolves once none of them lives. */
  end: (graceMs: number) => Promise<void>
}

/** Parts of node-pty that its types leave out. */
interface Pty {
  pid: number
  fd: number
  write: (bytes: Buffer) => void
  resize: (columns: number, rows: number) => void
  pause: () => void
  resume: () => void
  onData: (listener: (bytes: Buffer) => void) => unknown
  onExit: (listener: (exit: { exitCode: number; signal?: number }) => void) => unknown
}

const SMALLEST = 2
const LARGEST = 500
const LOOK_MS = 5

/**
 * Closes the descriptors that forkpty passed on from this process, opens the files, and becomes the program. A shell of the system's minimum
 * (dash) cannot close descriptors above 9; -p: nothing of the environment is run.
 */
const CLEAN_START = `
for f in /proc/$$/fd/*; do n=\${f##*/}; if [ "$n" -gt 2 ]; then eval "exec $n>&-"; fi; done
n=2 last=$(($1 + 2)); shift
while [ "$n" -lt "$last" ]; do n=$((n + 1)); eval "exec $n<\\"\\$1\\"" || exit; shift; done
exec "$@"`

/** Rejects with the error of the system (`ENOENT`, `EACCES` …) if the program or the folder cannot be used. */
export async function startTerminal(spec: TerminalSpec): Promise<RunningTerminal> {
  const { command, args, cwd, env, columns, rows, files = [], user } = spec
  await fs.promises.access(command, fs.constants.X_OK) // node-pty would show both errors on the terminal only
  await fs.promises.access(cwd, fs.constants.X_OK)
  const { spawn } = await import('@lydell/node-pty')
  const [file, argv] =
    process.platform === 'linux'
      ? ['/bin/bash', ['-p', '-c', CLEAN_START, 'bash', String(files.length), ...files, command, ...args]]
      : [command, [...args]]
  const pty = spawn(file, argv, {
    cwd,
    env: { ...env },
    cols: within(columns),
    rows: within(rows),
    encoding: null,
    ...user,
  }) as unknown as Pty // with encoding null it gives buffers
  const { pid } = pty
  const born = birthOf(pid) ?? 'gone'
  openTerminals.add(pty)

  let isOver = false
  const output = new Readable({ read: () => pty.resume(), destroy: (error, done) => (pty.resume(), done(error)) })
  const input = new Writable({
    write(bytes: Buffer, _encoding, done) {
      if (!isOver) pty.write(bytes)
      done()
    },
  })
  pty.onData((bytes) => {
    if (!output.destroyed && !output.push(bytes) && !isOver) pty.pause()
  })
  const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      isOver = true
      openTerminals.delete(pty)
      output.push(null)
      resolve(signal ? { code: null, signal: signalName(signal) } : { code: exitCode, signal: null })
    })
  })
  return {
    pid,
    born,
    input,
    output,
    exit,
    resize(newColumns, newRows) {
      if (!isOver) pty.resize(within(newColumns), within(newRows))
    },
    async end(graceMs) {
      const members = () => [...new Set([...sessionMembers(pid), ...(isOver ? [] : [pid, ...descendantsOf(pid)])])]
      const signalAll = (signal: NodeJS.Signals) => members().forEach((member) => signalOne(member, signal))
      pty.resume() // unread output would delay the end
      signalAll('SIGHUP')
      const until = performance.now() + graceMs
      while (members().length > 0 && performance.now() < until) await sleep(LOOK_MS)
      while (members().length > 0) {
        signalAll('SIGKILL')
        await sleep(LOOK_MS)
      }
    },
  }
}

const within = (size: number) => Math.min(LARGEST, Math.max(SMALLEST, Math.trunc(size) || SMALLEST))

const signalName = (number: number) => Object.entries(os.constants.signals).find(([, value]) => value === number)?.[0] ?? `SIG${number}`

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
