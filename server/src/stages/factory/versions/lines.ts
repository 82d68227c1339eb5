import { createHash, hash } from 'node:crypto'
import fs from 'node:fs'
import type { Place } from '#server/adapters/outside-rows/lines.ts'

const CHUNK = 1 << 20

/** Writes JSON lines that only the user may read. For workers: every call blocks. */
export function createLineFile(file: string) {
  const handle = fs.openSync(file, 'wx', 0o600)
  const digest = createHash('sha256')
  let pending: Buffer[] = []
  let pendingBytes = 0
  let bytes = 0
  let rows = 0
  const flush = () => {
    for (const chunk of pending) for (let done = 0; done < chunk.length;) done += fs.writeSync(handle, chunk, done)
    pending = []
    pendingBytes = 0
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
      pendingBytes += line.length
      bytes += line.length
      rows += 1
      if (pendingBytes >= CHUNK) flush()
      return { offset, length: line.length - 1, hash: hash('sha256', line).slice(0, 32) }
    },
    /** Makes everything written so far readable for others. */
    flush,
    /** Waits until everything is on disk. */
    close(): { rows: number; bytes: number; sha256: string } {
      try {
        flush()
        fs.fsyncSync(handle)
      } finally {
        fs.closeSync(handle)
      }
      return { rows, bytes, sha256: digest.digest('hex') }
    },
    /** Closes the file after a failure, without writing pending lines. */
    abandon(): void {
      try {
        fs.closeSync(handle)
      } catch {
        // already closed by a failed close()
      }
    },
  }
}
export type LineFile = ReturnType<typeof createLineFile>

/** Reads single lines by position. */
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

/** Reads lines of many files, with a limited number open at once. */
export function openManyLines(files: readonly string[], maxOpen = 64) {
  const openFiles = new Map<number, ReturnType<typeof openLines>>()
  return {
    at(file: number, place: Place): string {
      let lines = openFiles.get(file)
      if (!lines) {
        lines = openLines(files[file]!)
        if (openFiles.size >= maxOpen) {
          const [oldestFile, oldestLines] = openFiles.entries().next().value!
          oldestLines.close()
          openFiles.delete(oldestFile)
        }
        openFiles.set(file, lines)
      }
      return lines.at(place)
    },
    close: () => openFiles.forEach((lines) => lines.close()),
  }
}
