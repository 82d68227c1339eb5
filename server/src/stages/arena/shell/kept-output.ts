import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

export interface OutputFile {
  path: string
  /** Bytes in it. */
  bytes: number
  /** False: there was more than a file may hold, or than the disk had space for. */
  isWhole: boolean
}

export interface OutputLimits {
  /** How much is kept in memory: the first and the last half of it. */
  maxBytes: number
  /** Where the whole of a longer output is written; null: nowhere. */
  folder: string | null
  maxFileBytes: number
}

/** Output of any size in bounded memory. */
export function keptOutput({ maxBytes, folder, maxFileBytes }: OutputLimits) {
  const half = Math.floor(maxBytes / 2)
  let total = 0
  let head: Buffer[] = []
  let headBytes = 0
  let tail: Buffer[] = []
  let tailBytes = 0
  let file: { fd: number; info: OutputFile } | null = null

  const save = (bytes: Buffer) => {
    if (!file?.info.isWhole) return
    const part = bytes.subarray(0, maxFileBytes - file.info.bytes)
    if (part.length < bytes.length) file.info.isWhole = false
    try {
      for (let at = 0; at < part.length;) {
        const written = fs.writeSync(file.fd, part, at)
        at += written
        file.info.bytes += written
      }
    } catch {
      file.info.isWhole = false // a full disk; the command continues
    }
  }
  return {
    get totalBytes() {
      return total
    },
    add(bytes: Buffer): void {
      total += bytes.length
      if (file === null && folder !== null && total > maxBytes) {
        const place = path.join(folder, `${randomUUID()}.out`)
        file = { fd: fs.openSync(place, 'wx', 0o600), info: { path: place, bytes: 0, isWhole: true } }
        for (const part of [...head, ...tail]) save(part)
      }
      save(bytes)
      const first = bytes.subarray(0, Math.max(0, half - headBytes))
      if (first.length > 0) head.push(Buffer.from(first))
      headBytes += first.length
      const last = bytes.subarray(first.length)
      if (last.length === 0) return
      tail.push(Buffer.from(last.subarray(Math.max(0, last.length - maxBytes))))
      tailBytes += tail.at(-1)!.length
      if (tail.length > 1024) tail = [Buffer.concat(tail)] // many small pieces cost more than their bytes
      while (tail.length > 1 && tailBytes - tail[0]!.length >= maxBytes - half) tailBytes -= tail.shift()!.length
    },
    /** Nothing is added afterwards. Cut characters belong to what is left out; bytes that are no UTF-8 become U+FFFD. */
    end(): { text: string; truncated: boolean; file: OutputFile | null } {
      if (file) fs.closeSync(file.fd)
      const all = Buffer.concat([...head, ...tail])
      head = []
      tail = []
      const info = file?.info ?? null
      if (total <= maxBytes) return { text: all.toString('utf8'), truncated: false, file: info }
      const first = withoutCutEnd(all.subarray(0, headBytes))
      const last = withoutCutStart(all.subarray(all.length - (maxBytes - half)))
      const leftOut = total - first.length - last.length
      return {
        text: `${first.toString('utf8')}\n[... ${leftOut} bytes left out ...]\n${last.toString('utf8')}`,
        truncated: true,
        file: info,
      }
    },
  }
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** Without a character of UTF-8 whose end is missing. */
function withoutCutEnd(bytes: Buffer): Buffer {
  let lead = bytes.length - 1
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead -= 1
  const byte = bytes[lead] ?? 0
  const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
  return needed > bytes.length - lead ? bytes.subarray(0, lead) : bytes
}

function withoutCutStart(bytes: Buffer): Buffer {
  let from = 0
  while (from < 3 && isContinuation(bytes[from])) from += 1
  return bytes.subarray(from)
}
