import fs, { type FileHandle } from 'node:fs/promises'

/** A line without its newline, and the offset after it. `text` is null if the line is longer than any line we write. */
export interface Line {
  text: string | null
  end: number
}

const CHUNK = 256 * 1024
const MAX_BYTES = 16 * 1024 * 1024

/** Reads the lines after an offset of a growing file. A last line without a newline is returned when it is complete. */
export function createTail(file: string, from: number) {
  let at = from
  let carried: Buffer[] = []
  let carriedBytes = 0
  let handle: FileHandle | null = null

  return {
    /** The complete lines in the next chunk; null if the file has no more bytes yet. */
    async next(): Promise<Line[] | null> {
      try {
        handle ??= await fs.open(file, 'r')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, at + carriedBytes)
      if (bytesRead === 0) return null
      const fresh = buffer.subarray(0, bytesRead)
      const lines: Line[] = []
      let start = 0
      for (let end = fresh.indexOf(10); end >= 0; end = fresh.indexOf(10, start)) {
        const length = carriedBytes + end - start
        const text = length <= MAX_BYTES ? Buffer.concat([...carried, fresh.subarray(start, end)]).toString('utf8') : null
        at += length + 1
        carried = []
        carriedBytes = 0
        start = end + 1
        lines.push({ text, end: at })
      }
      const rest = fresh.subarray(start)
      carriedBytes += rest.length
      if (carriedBytes <= MAX_BYTES) carried.push(Buffer.from(rest))
      else carried = []
      return lines
    },
    async close(): Promise<void> {
      await handle?.close()
      handle = null
    },
  }
}
export type Tail = ReturnType<typeof createTail>
