import { parseObject, wholeRecords } from '#server/whole-records.ts'
import fs from 'node:fs'
import path from 'node:path'
import { HookPayload } from './hook-payload.ts'

export interface SpoolEvent {
  payload: HookPayload
  /** Time of the last write to the file, epoch ms, because payloads have no time. */
  at: number
  bytes: number
  /** The client's process id, from the file name. */
  clientPid: number | null
}

export interface SpoolOptions {
  folder: string
  quarantine: string
  /** Stores events; the files are deleted after it resolves. */
  store: (events: SpoolEvent[]) => Promise<void>
  onDoorbell: () => void
  onProblem: (kind: string, message: string, hint: string | null) => void
  isAlive?: (pid: number) => boolean
  now?: () => number
}

export interface Spool {
  /** Reads all files. True if files remain whose writer is still running. */
  readAll(): Promise<boolean>
  count(): number
  /** Removes every file that contains this session id. */
  forget(sessionId: string): void
}

const TAKEN_PREFIX = '.taken-'
/** If a file does not grow for this long, the process with its pid is not its writer: the pid was reused. */
const SILENT_WRITER_MS = 5000
/** An incomplete line is kept this long, even if its writer seems to have ended. */
const UNFINISHED_MS = 2000
const MAX_BYTES_A_ROUND = 32 << 20

interface SpoolFile {
  name: string
  storedBytes: number
  events: SpoolEvent[]
  garbage: Buffer[]
  isDoorbell: boolean
  isFinished: boolean
}

/**
 * Hook payloads that are not read yet. A file `<pid>.<client pid>` has one payload per line; an empty file (such as
 * the hook's `doorbell`) means "check all sessions". A file is renamed before it is read, so that later hooks start
 * a new file. A hook that has the file open continues to write to it, so it is read until that hook has ended.
 */
export function createSpool(options: SpoolOptions): Spool {
  const { folder, quarantine, store, onDoorbell, onProblem } = options
  const now = options.now ?? Date.now
  const isAlive = options.isAlive ?? processIsAlive
  const storedBytesOf = new Map<string, number>()
  let counter = 0

  const listNames = () => {
    try {
      return fs.readdirSync(folder)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  const rename = (name: string): string | null => {
    if (name.startsWith(TAKEN_PREFIX)) return name
    if (!fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.isFile()) return null
    counter += 1
    const taken = `${TAKEN_PREFIX}${now()}-${counter}-${name}`
    try {
      fs.renameSync(path.join(folder, name), path.join(folder, taken))
      return taken
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  const read = (name: string): SpoolFile => {
    const file = path.join(folder, name)
    const done = storedBytesOf.get(name) ?? 0
    const fd = fs.openSync(file, 'r')
    try {
      const { size, mtimeMs } = fs.fstatSync(fd)
      const bytes = Buffer.alloc(size - done)
      fs.readSync(fd, bytes, 0, bytes.length, done)
      const pid = pidOf(name)
      const silentMs = now() - mtimeMs
      const hasWriterEnded = pid === null || !isAlive(pid) || silentMs > SILENT_WRITER_MS
      const lineEnd = bytes.lastIndexOf(10) + 1
      const isFinished = hasWriterEnded && (lineEnd === bytes.length || silentMs > UNFINISHED_MS)
      // Without a newline a payload counts if it is whole: the disk may have been full.
      const end = isFinished ? bytes.length : lineEnd
      const { events, garbage, hasDoorbell } = parseLines(bytes.subarray(0, end), Math.round(mtimeMs), clientPidOf(name))
      return { name, storedBytes: done + end, events, garbage, isDoorbell: hasDoorbell || (size === 0 && isFinished), isFinished }
    } finally {
      fs.closeSync(fd)
    }
  }

  const finish = (file: SpoolFile) => {
    const { garbage } = file
    if (garbage.length > 0) {
      fs.mkdirSync(quarantine, { recursive: true, mode: 0o700 })
      const quarantineFile = path.join(quarantine, `${file.name.slice(TAKEN_PREFIX.length)}-${file.storedBytes}`)
      fs.writeFileSync(quarantineFile, Buffer.concat(garbage), { mode: 0o600 })
      onProblem(
        'spool',
        `Couldn't read a hook event; its data is kept in ${quarantineFile}.`,
        'The session itself is not affected: its transcript is complete.',
      )
    }
    if (file.isFinished) {
      fs.rmSync(path.join(folder, file.name), { force: true })
      storedBytesOf.delete(file.name)
    } else storedBytesOf.set(file.name, file.storedBytes)
  }

  return {
    async readAll() {
      let isAnyUnfinished = false
      let round: SpoolFile[] = []
      let bytes = 0
      const flush = async () => {
        const events = round.flatMap((file) => file.events)
        if (events.length > 0) await store(events)
        round.forEach(finish)
        if (round.some(({ isDoorbell }) => isDoorbell)) onDoorbell()
        round = []
        bytes = 0
      }
      for (const name of listNames()) {
        const renamed = rename(name)
        if (renamed === null) continue
        const file = read(renamed)
        round.push(file)
        if (!file.isFinished) isAnyUnfinished = true
        bytes += file.events.reduce((sum, event) => sum + event.bytes, 0)
        if (bytes > MAX_BYTES_A_ROUND) await flush()
      }
      await flush()
      return isAnyUnfinished
    },
    count: () => listNames().length,
    forget(sessionId) {
      for (const place of [folder, quarantine]) {
        for (const name of fs.existsSync(place) ? fs.readdirSync(place) : []) {
          const file = path.join(place, name)
          if (fs.statSync(file, { throwIfNoEntry: false })?.isFile() && fs.readFileSync(file).includes(sessionId)) fs.rmSync(file)
        }
      }
    },
  }
}

function parseLines(
  bytes: Buffer,
  at: number,
  clientPid: number | null,
): { events: SpoolEvent[]; garbage: Buffer[]; hasDoorbell: boolean } {
  const events: SpoolEvent[] = []
  const garbage: Buffer[] = []
  let hasDoorbell = false
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(10, start)
    const line = bytes.subarray(start, newline < 0 ? bytes.length : newline + 1)
    start += line.length
    const text = line.toString('utf8').trim()
    if (text === '') continue
    if (text === '{}') {
      hasDoorbell = true
      continue
    }
    const payload = payloadOf(parseObject(line)?.value)
    if (payload) events.push({ payload, at, bytes: line.length, clientPid })
    else {
      for (const { value, start: from, end } of wholeRecords(line, (one) => payloadOf(one) !== null))
        events.push({ payload: payloadOf(value)!, at, bytes: end - from, clientPid })
      garbage.push(line)
    }
  }
  return { events, garbage, hasDoorbell }
}

const payloadOf = (value: unknown): HookPayload | null => HookPayload.safeParse(value).data ?? null

/** The first number of `<pid>.<client pid>`, with or without our prefix; null for a doorbell or another program's file. */
function pidOf(name: string): number | null {
  const match = /(?:^|-)(\d+)\.\d+$/.exec(name)
  return match ? Number(match[1]) : null
}

/** The second number; null for 0, which the hook writes if it does not know the client's pid. */
function clientPidOf(name: string): number | null {
  const pid = Number(/(?:^|-)\d+\.(\d{1,10})$/.exec(name)?.[1] ?? 0)
  return pid > 1 ? pid : null
}

function processIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
