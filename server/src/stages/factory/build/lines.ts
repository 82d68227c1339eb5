import { isUtf8 } from 'node:buffer'
import { createHash, hash } from 'node:crypto'
import fs from 'node:fs'
import { AppError } from '#contracts/errors.ts'

/** Where a line lies in its file, bytes, without its newline. */
export interface Place {
  offset: number
  length: number
}

const CHUNK = 1 << 20
/** A link that took the place of a file after it was looked at is not followed (Windows has no such flag). */
export const READ_FILE = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0)

/** Writes JSON lines, private to the user. For workers: every call blocks. */
export function createLineFile(file: string) {
  const handle = fs.openSync(file, 'wx', 0o600)
  const digest = createHash('sha256')
  let pending: Buffer[] = []
  let waiting = 0
  let bytes = 0
  let rows = 0
  const flush = () => {
    for (const chunk of pending) for (let done = 0; done < chunk.length;) done += fs.writeSync(handle, chunk, done)
    pending = []
    waiting = 0
  }
  return {
    /** Rows written so far. */
    get rows() {
      return rows
    },
    write(value: unknown): Place & { hash: string } {
      const line = Buffer.from(`${JSON.stringify(value)}\n`)
      const offset = bytes
      digest.update(line)
      pending.push(line)
      waiting += line.length
      bytes += line.length
      rows += 1
      if (waiting >= CHUNK) flush()
      return { offset, length: line.length - 1, hash: hash('sha256', line).slice(0, 32) }
    },
    /** What was written so far can be read by others. */
    flush,
    /** Everything on the disk. */
    close(): { rows: number; bytes: number; sha256: string } {
      try {
        flush()
        fs.fsyncSync(handle)
      } finally {
        fs.closeSync(handle)
      }
      return { rows, bytes, sha256: digest.digest('hex') }
    },
    /** After a failure: nothing more is written. */
    abandon(): void {
      try {
        fs.closeSync(handle)
      } catch {
        // closed already, by a close that failed
      }
    },
  }
}
export type LineFile = ReturnType<typeof createLineFile>

/** The lines of a file from a byte on, each with its place. Throws `path_refused` for a file that is gone, which must not pass for an empty one. For workers. */
export function* readLines(file: string, from = 0): Generator<{ text: string } & Place> {
  const handle = opened(file)
  try {
    const chunk = Buffer.allocUnsafe(CHUNK)
    let carried: Buffer[] = [] // of a line that goes on: put together once, however long it is
    let at = from
    for (let position = from; ;) {
      const read = fs.readSync(handle, chunk, 0, CHUNK, position)
      if (read === 0) break
      position += read
      let start = 0
      for (let end = chunk.indexOf(10); end >= 0 && end < read; end = chunk.indexOf(10, start)) {
        const line = carried.length ? Buffer.concat([...carried, chunk.subarray(start, end)]) : chunk.subarray(start, end)
        yield { text: line.toString('utf8'), offset: at, length: line.length }
        at += line.length + 1
        start = end + 1
        carried = []
      }
      if (start < read) carried.push(Buffer.from(chunk.subarray(start, read)))
    }
    if (carried.length) {
      const line = Buffer.concat(carried)
      yield { text: line.toString('utf8'), offset: at, length: line.length }
    }
  } finally {
    fs.closeSync(handle)
  }
}

function opened(file: string): number {
  try {
    return fs.openSync(file, READ_FILE)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ELOOP') throw cause
    throw new AppError('path_refused', {
      message: `${file} was ${code === 'ENOENT' ? 'removed' : 'replaced by a link'} while it was being read.`,
      cause,
    })
  }
}

/** Whether a line as it was read says what its bytes say: bytes that are no UTF-8 were read as U+FFFD. */
export function isUtf8Line(file: string, text: string, { offset, length }: Place): boolean {
  if (!text.includes('\u{FFFD}')) return true
  const bytes = Buffer.alloc(length)
  const handle = fs.openSync(file, READ_FILE)
  try {
    fs.readSync(handle, bytes, 0, length, offset)
  } finally {
    fs.closeSync(handle)
  }
  return isUtf8(bytes)
}

/** Reads single lines by their place. */
export function openLines(file: string) {
  const handle = fs.openSync(file, 'r')
  return {
    at({ offset, length }: Place): string {
      const bytes = Buffer.allocUnsafe(length)
      for (let done = 0; done < length;) {
        const read = fs.readSync(handle, bytes, done, length - done, offset + done)
        if (read === 0) throw new Error(`${file} ends before byte ${offset + length}.`)
        done += read
      }
      return bytes.toString('utf8')
    },
    close: () => fs.closeSync(handle),
  }
}

/** Of many files, as many open at once as a process may well have. */
export function openManyLines(files: readonly string[], most = 64) {
  const open = new Map<number, ReturnType<typeof openLines>>()
  return {
    at(file: number, place: Place): string {
      let lines = open.get(file)
      if (!lines) {
        lines = openLines(files[file]!)
        if (open.size >= most) {
          const [oldest, other] = open.entries().next().value!
          other.close()
          open.delete(oldest)
        }
        open.set(file, lines)
      }
      return lines.at(place)
    },
    close: () => open.forEach((lines) => lines.close()),
  }
}
