/** Starts programs through a small process beside this one, because the cost of a fork grows with the memory of who forks. Linux only. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import { isatty } from 'node:tty'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Child, UNKNOWN_START } from './child.ts'
import { signalGroup } from './group.ts'
import { lineSplitter } from './lines.ts'
import { birthOf, type ProcessMark } from './marks.ts'
import { type SpawnerAnswer, type SpawnerRequest, type StartRequest, TOKEN_LENGTH } from './spawner-protocol.ts'

const PROGRAM = fileURLToPath(new URL('./spawner-program.ts', import.meta.url))
/** Closes what this process would pass on: terminals, and what its own parent left open. */
const CLEAN_START = 'for f in /proc/$$/fd/*; do n=${f##*/}; if [ "$n" -gt 2 ]; then eval "exec $n>&-"; fi; done; exec "$@"'
const POLL_MS = 5

/** The spawner ended before it answered. Whether the program ran is not known; if it did, its streams were closed. */
export class SpawnerEnded extends Error {
  constructor() {
    super('The process that starts programs has ended.')
  }
}

export interface Spawner {
  pid: number
  /** Rejects with the error of the system, or `SpawnerEnded`. */
  start: (request: Omit<StartRequest, 'token'>) => Promise<Child>
}

let current: Promise<Spawner> | null = null

/** The spawner of this process; a new one if the last has ended. */
export function theSpawner(): Promise<Spawner> {
  return (current ??= openSpawner(() => (current = null)).catch((error: unknown) => {
    current = null
    throw error
  }))
}

/** A program that was asked for and has not ended. */
interface Entry {
  id: number
  token: string
  streams: (Socket | null)[]
  /** Streams that are not connected yet. */
  missing: number
  /** Null until it runs. */
  mark: ProcessMark | null
  started: PromiseWithResolvers<Child>
  exited: PromiseWithResolvers<Awaited<Child['exited']>>
}

async function openSpawner(onEnd: () => void): Promise<Spawner> {
  const entries = new Map<number, Entry>()
  /** Programs with missing streams. */
  const connecting = new Map<string, Entry>()
  let lastId = 0
  let isOver = false

  const name = randomBytes(16).toString('hex')
  const server = net.createServer((socket) => readToken(socket, connecting, startedIfComplete))
  server.unref().listen({ path: `\0${name}` }) // abstract: a killed process leaves no file
  await once(server, 'listening')
  const program = spawn('/bin/bash', ['-p', '-c', CLEAN_START, 'bash', process.execPath, PROGRAM, name], {
    cwd: '/',
    env: {},
    // at its end Node gives a terminal the settings of its start, which may have been those of a full-screen view
    stdio: ['ignore', 'pipe', isatty(2) ? 'ignore' : 'inherit'],
    detached: true,
  })
  program.unref()
  await once(program, 'spawn')
  const channel = program.stdout as Socket // a socket in both directions
  channel.unref()
  const send = (message: SpawnerRequest) => void channel.write(`${JSON.stringify(message)}\n`)

  function startedIfComplete(entry: Entry): void {
    const { id, mark, missing, streams, exited } = entry
    if (mark === null || missing > 0) return
    connecting.delete(entry.token)
    entry.started.resolve({ ...mark, streams, exited: exited.promise, signal: (signal) => send({ id, signal }) })
  }
  const fail = (entry: Entry, error: Error) => {
    connecting.delete(entry.token)
    for (const stream of entry.streams) stream?.destroy()
    entry.started.reject(error)
  }
  const onAnswer = ({ id, pid, error, exit }: SpawnerAnswer) => {
    const entry = entries.get(id)
    if (!entry) return
    if (pid !== undefined) {
      entry.mark = { pid, born: birthOf(pid) ?? UNKNOWN_START }
      return startedIfComplete(entry)
    }
    entries.delete(id)
    if (entries.size === 0) channel.unref()
    if (error) return fail(entry, Object.assign(new Error(error.message), { code: error.code }))
    if (exit) onceListening(entry, () => entry.exited.resolve(exit))
  }
  const lines = lineSplitter((line) => onAnswer(JSON.parse(line) as SpawnerAnswer), Infinity) // written by spawner-program.ts
  channel.on('data', (chunk: Buffer) => lines.write(chunk))
  channel.on('error', () => undefined) // `close` follows
  channel.once('close', () => {
    isOver = true
    onEnd()
    server.close()
    for (const entry of entries.values()) {
      const ended = entry.mark === null ? Promise.resolve() : endAbandoned(entry.mark)
      if (entry.mark === null || entry.missing > 0) {
        void ended.then(() => fail(entry, new SpawnerEnded()))
        continue
      }
      void ended.then(() => onceListening(entry, () => entry.exited.resolve({ code: null, signal: 'SIGKILL' })))
    }
    entries.clear()
  })

  return {
    pid: program.pid!,
    start(request) {
      if (isOver) return Promise.reject(new SpawnerEnded())
      const id = ++lastId
      const token = randomBytes(TOKEN_LENGTH / 2).toString('hex')
      const missing = request.stdio.filter((what) => what === 'pipe').length
      const streams = request.stdio.map(() => null)
      const entry: Entry = { id, token, streams, missing, mark: null, started: Promise.withResolvers(), exited: Promise.withResolvers() }
      entries.set(id, entry)
      connecting.set(token, entry)
      channel.ref()
      send({ id, start: { ...request, token } })
      return entry.started.promise
    },
  }
}

/** A connection says first which descriptor of which program it is. */
function readToken(socket: Socket, connecting: ReadonlyMap<string, Entry>, onStream: (entry: Entry) => void): void {
  socket.on('error', () => undefined) // `close` follows; who uses the stream has its own listener
  const read = () => {
    const head = socket.read(TOKEN_LENGTH + 2) as Buffer | null
    if (head === null) {
      if (!socket.readableEnded) socket.once('readable', read)
      return
    }
    const entry = connecting.get(head.toString('latin1', 0, TOKEN_LENGTH))
    const number = Number(head.toString('latin1', TOKEN_LENGTH))
    if (entry?.streams[number] !== null) {
      socket.destroy()
      return
    }
    entry.streams[number] = socket
    entry.missing -= 1
    if (number === 0) socket.resume() // nothing comes from an input but its end
    onStream(entry)
  }
  socket.once('readable', read)
}

/**
 * Whoever asked for the program has its streams first: its end may arrive together with its start. Then the streams that nobody
 * reads are closed, as Node does for its own child processes.
 */
function onceListening({ started, streams }: Entry, report: () => void): void {
  const end = () => {
    for (const stream of streams) if (stream?.readableFlowing === null) stream.resume()
    report()
  }
  void started.promise.then(() => setImmediate(end))
}

/** Ends what a killed spawner left, with its whole group. */
async function endAbandoned({ pid, born }: ProcessMark): Promise<void> {
  for (;;) {
    const birth = birthOf(pid)
    if (birth !== null && birth !== born) return // the number belongs to another process by now
    if (!signalGroup(pid, 'SIGKILL')) return
    if (birth === null) return
    await sleep(POLL_MS)
  }
}
