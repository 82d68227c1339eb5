import fs from 'node:fs'
import path from 'node:path'

/** For each session. */
const MAX_BYTES = 16 * 1024 * 1024
const FULL = 'The recording ends here: it has reached 16 MB.'

interface RecordingOptions {
  file: string
  columns: number
  rows: number
  now: () => number
  onError: (error: unknown) => void
}

/**
 * Writes the output of a session with its times as an asciinema file (asciicast, version 2: a header, then a line for each
 * event). Keys are not recorded: they may be passwords. Bytes that are not UTF-8 become U+FFFD.
 */
export function createRecording({ file, columns, rows, now, onError }: RecordingOptions) {
  const began = now()
  const decoder = new TextDecoder()
  let pending = `${JSON.stringify({ version: 2, width: columns, height: rows, timestamp: Math.floor(began / 1000) })}\n`
  let bytes = pending.length
  let isOver = false
  let writing: Promise<void> | null = null

  const drain = async () => {
    try {
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
      while (pending !== '') {
        const part = pending
        pending = ''
        await fs.promises.appendFile(file, part, { mode: 0o600 })
      }
    } catch (error) {
      isOver = true // a full disk; the session continues
      pending = ''
      onError(error)
    } finally {
      writing = null
    }
  }
  const flush = (): Promise<void> => (writing ??= drain())
  const line = (kind: 'o' | 'r' | 'm', text: string) => `${JSON.stringify([(now() - began) / 1000, kind, text])}\n`
  const event = (kind: 'o' | 'r', text: string) => {
    if (isOver || text === '') return
    let added = line(kind, text)
    if (bytes + Buffer.byteLength(added) > MAX_BYTES) {
      isOver = true
      added = line('m', FULL)
    }
    bytes += Buffer.byteLength(added)
    pending += added
    void flush()
  }
  fs.rmSync(file, { force: true }) // from an earlier session with this name
  void flush()
  return {
    add: (part: Uint8Array): void => event('o', decoder.decode(part, { stream: true })),
    resize: (toColumns: number, toRows: number): void => event('r', `${toColumns}x${toRows}`),
    end: (): void => event('o', decoder.decode()),
    /** Resolves when everything added so far is in the file. */
    flush,
  }
}

export type Recording = ReturnType<typeof createRecording>

/** The recordings of sandboxes, in one folder for each sandbox. */
export function createRecordings(folder: string, deps: Pick<RecordingOptions, 'now' | 'onError'>) {
  const open = new Map<string, Recording>()
  const remove = (sandbox: string): void => fs.rmSync(path.join(folder, sandbox), { recursive: true, force: true })
  const fileOf = (sandbox: string, session: string) => path.join(folder, sandbox, `${session}.cast`)
  return {
    start(sandbox: string, session: string, size: { columns: number; rows: number }): Recording {
      const file = fileOf(sandbox, session)
      const recording = createRecording({ file, ...size, ...deps })
      open.set(file, recording)
      return recording
    },
    /** Null if there is none. */
    async read(sandbox: string, session: string): Promise<AsyncIterable<Uint8Array> | null> {
      const file = fileOf(sandbox, session)
      await open.get(file)?.flush()
      return fs.existsSync(file) ? fs.createReadStream(file) : null
    },
    /** Writes what is pending. Call when the sessions of the sandbox have ended. */
    async close(sandbox: string): Promise<void> {
      const sandboxRecordings = [...open].filter(([file]) => path.dirname(file) === path.join(folder, sandbox))
      for (const [file, recording] of sandboxRecordings) {
        await recording.flush()
        open.delete(file)
      }
    },
    remove,
    /** Removes recordings of deleted sandboxes. */
    sweep(isKept: (sandbox: string) => boolean): void {
      if (!fs.existsSync(folder)) return
      for (const sandbox of fs.readdirSync(folder)) if (!isKept(sandbox)) remove(sandbox)
    },
  }
}

export type Recordings = ReturnType<typeof createRecordings>
