/** Starts a process in a new terminal (PTY), as the leader of a session; all processes of the session are ended together. Not on Windows. */
import fs from 'node:fs'
import os from 'node:os'
import { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { birthOf, descendantsOf, type ProcessMark, sessionMembers } from './marks.ts'
import { openTerminals } from './masters.ts'
import { programOf, requireOwnFolder } from './program.ts'
import { terminalSize } from './pty.ts'

export interface TerminalSpec {
  /** An absolute path. */
  command: string
  args: readonly string[]
  cwd: string
  /** The whole environment, including TERM; PWD, SHLVL and _ are added. */
  env: Readonly<Record<string, string>>
  columns: number
  rows: number
  /** Files opened for reading as descriptor 3 and above. */
  files?: readonly string[]
  user?: { uid: number; gid: number }
}

export interface RunningTerminal extends ProcessMark {
  input: Writable
  /** Ends when the terminal closes. Unread output blocks the writing process; after the end it is dropped after 0.2 s. */
  output: Readable
  /** Sizes are limited to 2 to 500; no effect after the end. */
  resize: (columns: number, rows: number) => void
  /** Resolves when the process has ended and its output is delivered. */
  exit: Promise<{ code: number | null; signal: string | null }>
  /** Sends SIGHUP to all processes of the session, and SIGKILL after `graceMs`. Resolves when all have ended. */
  end: (graceMs: number) => Promise<void>
}

/** Parts of node-pty that its types lack. */
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

const POLL_MS = 5

/**
 * Closes the descriptors that forkpty passed on from this process, opens the files, and replaces itself with the program.
 * bash, because dash cannot close descriptors above 9; -p, so that nothing from the environment is run.
 */
const CLEAN_START = `
for f in /proc/$$/fd/*; do n=\${f##*/}; if [ "$n" -gt 2 ]; then eval "exec $n>&-"; fi; done
n=2 last=$(($1 + 2)); shift
while [ "$n" -lt "$last" ]; do n=$((n + 1)); eval "exec $n<\\"\\$1\\"" || exit; shift; done
exec "$@"`

/** Rejects with the system's error (`ENOENT`, `EACCES` …) if the program or the folder cannot be used. */
export async function startTerminal(spec: TerminalSpec): Promise<RunningTerminal> {
  const { command, args, cwd, env, columns, rows, files = [], user } = spec
  requireOwnFolder(cwd)
  programOf(command, '')
  await fs.promises.access(command, fs.constants.X_OK) // node-pty shows these errors only on the terminal
  await fs.promises.access(cwd, fs.constants.X_OK)
  const { spawn } = await import('@lydell/node-pty')
  const [file, argv] =
    process.platform === 'linux'
      ? ['/bin/bash', ['-p', '-c', CLEAN_START, 'bash', String(files.length), ...files, command, ...args]]
      : [command, [...args]]
  const pty = spawn(file, argv, {
    cwd,
    env: { ...env },
    cols: terminalSize(columns),
    rows: terminalSize(rows),
    encoding: null,
    ...user,
  }) as unknown as Pty // encoding null makes it emit buffers
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
      if (!isOver) pty.resize(terminalSize(newColumns), terminalSize(newRows))
    },
    async end(graceMs) {
      const members = () => [...new Set([...sessionMembers(pid), ...(isOver ? [] : [pid, ...descendantsOf(pid)])])]
      const signalAll = (signal: NodeJS.Signals) => members().forEach((member) => signalOne(member, signal))
      pty.resume() // unread output would delay the end
      signalAll('SIGHUP')
      const until = performance.now() + graceMs
      while (members().length > 0 && performance.now() < until) await sleep(POLL_MS)
      while (members().length > 0) {
        signalAll('SIGKILL')
        await sleep(POLL_MS)
      }
    },
  }
}

const signalName = (number: number) => Object.entries(os.constants.signals).find(([, value]) => value === number)?.[0] ?? `SIG${number}`

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
