import { createHash, hash } from 'node:crypto'
import fs from 'node:fs'
import type { Place } from '#server/adapters/outside-rows/lines.ts'

const CHUNK = 1 << 20

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
