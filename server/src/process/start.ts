/** Starts a process in a new group; its child processes end with the group. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { once } from 'node:events'
import os from 'node:os'
import { finished } from 'node:stream/promises'
import type { Duplex, Readable, Writable } from 'node:stream'
import { type Child, UNKNOWN_START } from './child.ts'
import { endRest, signalGroup } from './group.ts'
import { lineSplitter } from './lines.ts'
import { birthOf, type ProcessMark } from './marks.ts'
import { openTerminals } from './masters.ts'
import { programOf, requireOwnFolder } from './program.ts'
import { theSpawner } from './spawner.ts'

export interface ProcessSpec {
  /** An absolute path, or a name that is searched in the absolute folders on the PATH of `env`. */
  command: string
  args: readonly string[]
  /** "/" or a folder of ours (`allowRunningIn`): files of any other folder could choose what runs. */
  cwd: string
  /** Folders of which no program may be started. */
  foreign?: readonly string[]
  /** The whole environment; nothing is inherited. */
  env: Readonly<Record<string, string>>
  output: Output
  /** `open`: standard input is a pipe that ends when this process does. `none` is the default. */
  input?: 'none' | 'open'
  /** The process is ended after this time; null means no limit. */
  deadlineMs: number | null
  /** Time between SIGTERM and SIGKILL when the process is ended; 0 sends only SIGKILL. */
  graceMs: number
  /** Ends the process. */
  signal?: AbortSignal
  /** Called when the process is ended by us, to end related processes outside its group. */
  onEnd?: () => void
  /** Its children may outlive it, for example a browser. */
  leavesOthers?: boolean
  user?: { uid: number; gid: number }
  /** Started by the spawner, for what is started often. Its numbered descriptors must be files that may be written, or terminals; not with an output file. */
  often?: boolean
}

export type Output =
  /** Standard output and error are appended to the file, so the process can outlive this one. */
  | { file: string }
  /** If `onLine` throws, the process is ended and `exit` rejects with the error. `errors` is a file for standard error. */
  | { onLine: (line: string, from: 'stdout' | 'stderr') => void; errors?: string }
  /** All descriptors, beginning with standard input; pipes are in `streams`. */
  | { descriptors: readonly Descriptor[] }
export type Descriptor = number | 'ignore' | 'pipe'

export interface ProcessExit {
  /** `code` and `signal` are null for an attached process, because only a parent gets them. */
  code: number | null
  signal: string | null
  /** Why we ended the process; null if it ended by itself. */
  endedBy: 'deadline' | 'request' | null
}

/** A living process that this or an earlier server started. */
export interface AttachedProcess extends ProcessMark {
  /** Resolves when the process and its whole group have ended and all output is delivered. */
  exit: Promise<ProcessExit>
  /** Sends SIGTERM to the whole group, and SIGKILL after `graceMs`. Resolves like `exit`. */
  end: () => Promise<ProcessExit>
}

export interface RunningProcess extends AttachedProcess {
  streams: readonly (Readable | Writable | Duplex | null | undefined)[]
}

/** A process that left the group may keep the output open. */
const DRAIN_MS = 1000

/** Resolves when the process runs. Rejects with the system's error (`ENOENT`, `EACCES` …) if it cannot be started, and if a folder of somebody else could choose it. */
export async function startProcess(spec: ProcessSpec): Promise<RunningProcess> {
  spec.signal?.throwIfAborted()
  const child = await (spec.often && process.platform === 'linux' ? startBySpawner(spec) : startHere(spec))
  const { pid } = child
  let isOver = false
  let endedBy: ProcessExit['endedBy'] = null
  let failure: { error: unknown } | null = null
  let deadline: NodeJS.Timeout | undefined
  let force: NodeJS.Timeout | undefined

  const end = (by: 'deadline' | 'request') => {
    if (isOver) return
    endedBy ??= by
    spec.onEnd?.()
    child.signal(spec.graceMs > 0 ? 'SIGTERM' : 'SIGKILL')
    if (spec.graceMs > 0) force ??= setTimeout(() => child.signal('SIGKILL'), spec.graceMs)
  }
  const onAbort = () => end('request')
  const drained = deliverLines(child, spec.output, (error) => {
    failure ??= { error }
    end('request')
  })
  const watch = async (): Promise<ProcessExit> => {
    const { code, signal } = await child.exited
    isOver = true
    clearTimeout(deadline)
    clearTimeout(force)
    spec.signal?.removeEventListener('abort', onAbort)
    if (!spec.leavesOthers) await endRest(pid)
    await drained()
    if (failure) throw failure.error
    return { code, signal, endedBy }
  }
  const exit = watch()
  exit.catch(() => undefined) // prevents an unhandled rejection if nothing awaits `exit`
  if (spec.deadlineMs !== null) deadline = setTimeout(() => end('deadline'), spec.deadlineMs)
  spec.signal?.addEventListener('abort', onAbort, { once: true })
  if (spec.signal?.aborted) end('request')
  return {
    pid,
    get born() {
      return child.born
    },
    exit,
    end() {
      end('request')
      return exit
    },
    streams: child.streams,
  }
}

function programIn({ command, cwd, env, foreign }: ProcessSpec): string {
  requireOwnFolder(cwd)
  return programOf(command, env['PATH'] ?? '', foreign)
}

async function startBySpawner(spec: ProcessSpec): Promise<Child> {
  const { args, cwd, env, output, user = null, leavesOthers = false } = spec
  const program = programIn(spec)
  const files: number[] = []
  try {
    const stdio = descriptorsOf(spec, files)
    if ('file' in output) throw new Error('A program that outlives this process is not started by the spawner.')
    return await (await theSpawner()).start({ program, args, cwd, env, user, stdio, leavesOthers })
  } finally {
    for (const fd of files) fs.closeSync(fd)
  }
}

async function startHere(spec: ProcessSpec): Promise<Child> {
  const { args, cwd, env, output, user } = spec
  const program = programIn(spec)
  const files: number[] = []
  try {
    const detached = process.platform !== 'win32' || 'file' in output // on Windows, detached opens a console
    const child = spawn(program, [...args], {
      cwd,
      env: { ...env },
      stdio: withoutTerminals(descriptorsOf(spec, files), files),
      detached,
      windowsHide: true,
      ...user,
    })
    if ('file' in output) child.unref()
    child.stdin?.on('error', () => undefined) // the process may end before all input is written
    const pid = child.pid!
    let isOver = false
    let born: string | null = null
    const exited = new Promise<Awaited<Child['exited']>>((resolve) => {
      child.once('exit', (code, signal) => {
        isOver = true
        if (!spec.leavesOthers) signalGroup(pid, 'SIGKILL') // at once, before the system can reuse the number
        resolve({ code, signal })
      })
    })
    await once(child, 'spawn') // throws the error of the system
    return {
      pid,
      get born() {
        return (born ??= (isOver ? null : birthOf(pid)) ?? UNKNOWN_START)
      },
      streams: child.stdio,
      exited,
      signal: (name) => void (isOver || signalGroup(pid, name)),
    }
  } finally {
    for (const fd of files) fs.closeSync(fd)
  }
}

/** The caller closes `files`. */
function descriptorsOf({ output, input }: ProcessSpec, files: number[]): Descriptor[] {
  const append = (file: string) => {
    const fd = fs.openSync(file, 'a', 0o600)
    files.push(fd)
    return fd
  }
  if ('descriptors' in output) return [...output.descriptors]
  const stdin = input === 'open' ? 'pipe' : 'ignore'
  if ('onLine' in output) return [stdin, 'pipe', output.errors === undefined ? 'pipe' : append(output.errors)]
  const fd = append(output.file)
  return [stdin, fd, fd]
}

/** Replaces each terminal that the process would inherit with an empty file. The caller closes `files`. */
function withoutTerminals(stdio: Descriptor[], files: number[]): Descriptor[] {
  if (openTerminals.size === 0) return stdio
  const empty = fs.openSync(os.devNull, 'r+')
  files.push(empty)
  for (const { fd } of openTerminals) {
    while (stdio.length <= fd) stdio.push('ignore') // above 2, 'ignore' leaves a descriptor unchanged
    if (stdio[fd] === 'ignore') stdio[fd] = empty
  }
  return stdio
}

/** Delivers lines as they arrive. The returned function is called after the end and resolves when all lines are delivered. */
function deliverLines(child: Child, output: Output, onFailure: (error: unknown) => void): () => Promise<void> {
  if (!('onLine' in output)) return () => Promise.resolve()
  const guarded = (work: () => void) => {
    try {
      work()
    } catch (error) {
      onFailure(error)
    }
  }
  const streams = (['stdout', 'stderr'] as const).flatMap((from, index) => {
    const stream = child.streams[index + 1] as Readable | null | undefined
    if (!stream) return []
    const splitter = lineSplitter((line) => output.onLine(line, from))
    stream.on('data', (chunk: Buffer) => guarded(() => splitter.write(chunk)))
    return [{ stream, splitter, closed: finished(stream, { writable: false }).catch(() => undefined) }]
  })
  return async () => {
    const cut = setTimeout(() => streams.forEach(({ stream }) => stream.destroy()), DRAIN_MS)
    await Promise.all(streams.map(({ closed }) => closed))
    clearTimeout(cut)
    for (const { splitter } of streams) guarded(() => splitter.end())
  }
}
