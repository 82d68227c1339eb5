export type OutputBuffer = ReturnType<typeof createOutputBuffer>

/** Keeps output of any size in `maxBytes` of memory: half from its start, half from its end. */
export function createOutputBuffer(maxBytes: number) {
  const half = Math.floor(maxBytes / 2)
  let total = 0
  let head: Buffer[] = []
  let headBytes = 0
  let tail: Buffer[] = []
  let tailBytes = 0

  return {
    get totalBytes() {
      return total
    },
    add(bytes: Buffer): void {
      total += bytes.length
      const first = bytes.subarray(0, Math.max(0, half - headBytes))
      if (first.length > 0) head.push(Buffer.from(first))
      headBytes += first.length
      const last = bytes.subarray(first.length)
      if (last.length === 0) return
      tail.push(Buffer.from(last.subarray(Math.max(0, last.length - maxBytes))))
      tailBytes += tail.at(-1)!.length
      if (tail.length > 1024) tail = [Buffer.concat(tail)] // many small buffers use more memory than their bytes
      while (tail.length > 1 && tailBytes - tail[0]!.length >= maxBytes - half) tailBytes -= tail.shift()!.length
    },
    /** Nothing can be added afterwards. Characters cut in two are omitted; bytes that are not UTF-8 become U+FFFD. */
    end(): { text: string; truncated: boolean } {
      const all = Buffer.concat([...head, ...tail])
      head = []
      tail = []
      if (total <= maxBytes) return { text: all.toString('utf8'), truncated: false }
      const first = withoutCutEnd(all.subarray(0, headBytes))
      const last = withoutCutStart(all.subarray(all.length - (maxBytes - half)))
      const omitted = total - first.length - last.length
      return { text: `${first.toString('utf8')}\n[... ${omitted} bytes left out ...]\n${last.toString('utf8')}`, truncated: true }
    },
  }
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** Drops a UTF-8 character whose last bytes are missing. */
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
