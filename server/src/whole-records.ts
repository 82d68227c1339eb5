import { parseShallow } from './shallow-json.ts'

export type JsonObject = Record<string, unknown>

export interface FoundRecord {
  value: JsonObject
  /** As in `Shallow`. */
  isCut: boolean
  /** Its bytes in the searched ones. */
  start: number
  end: number
}

/** Bytes looked at for each byte of damaged text: a deep record that is cut is looked through once per level. */
const MOST_LOOKS = 24
const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d]

/** Bytes that JSON has outside strings. */
const OUTSIDE = new Uint8Array(256)
for (const byte of Buffer.from('{}[]:,"+-.0123456789eEtruefalsn \t\r\n')) OUTSIDE[byte] = 1

/**
 * The whole records in bytes that are not one JSON value: records joined without a newline, one cut off before the next,
 * one behind NUL bytes. `isRecord` refuses objects that are only a part of a record, so the inside of a cut one is not taken.
 */
export function wholeRecords(bytes: Buffer, isRecord: (value: JsonObject) => boolean): FoundRecord[] {
  const found: FoundRecord[] = []
  let looks = MOST_LOOKS * bytes.length
  for (let at = bytes.indexOf(OPEN); at >= 0 && looks > 0; at = bytes.indexOf(OPEN, at)) {
    const { end, isWhole } = objectEnd(bytes, at)
    looks -= end - at
    const object = isWhole ? parseObject(bytes.subarray(at, end)) : null
    if (object && isRecord(object.value)) found.push({ ...object, start: at, end })
    at = object ? end : at + 1
  }
  return found
}

/** Where the object that starts here ends, or where it stops being JSON. */
function objectEnd(bytes: Buffer, start: number): { end: number; isWhole: boolean } {
  let depth = 0
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === QUOTE) {
      at += 1
      for (; at < bytes.length && bytes[at] !== QUOTE; at += 1) {
        if (bytes[at]! < 0x20) return { end: at, isWhole: false }
        if (bytes[at] === BACKSLASH) at += 1
      }
    } else if (OUTSIDE[byte] === 0) return { end: at, isWhole: false }
    else if (byte === OPEN) depth += 1
    else if (byte === CLOSE) {
      depth -= 1
      if (depth === 0) return { end: at + 1, isWhole: true }
    }
  }
  return { end: bytes.length, isWhole: false }
}

/** Null if the bytes are not one JSON object. A byte order mark before it is ignored. */
export function parseObject(bytes: Buffer): Pick<FoundRecord, 'value' | 'isCut'> | null {
  try {
    const text = bytes.toString('utf8')
    const { value, isCut } = parseShallow(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { value: value as JsonObject, isCut } : null
  } catch {
    return null
  }
}

/** Whether bytes outside the found records held something: anything but blanks. NUL bytes count: they stand where text was. */
export function hasLostBytes(bytes: Buffer, found: readonly FoundRecord[]): boolean {
  let at = 0
  for (const { start, end } of [...found, { start: bytes.length, end: bytes.length }]) {
    for (; at < start; at += 1) if (bytes[at]! > 0x20 || bytes[at] === 0) return true
    at = end
  }
  return false
}

/**
 * The records in a line that has no newline yet. A whole one counts: some programs end a file without a newline. Empty while
 * the line is being written, because then its outermost object is open.
 */
export function recordsWithoutNewline(bytes: Buffer, isRecord: (value: JsonObject) => boolean): FoundRecord[] {
  let end = bytes.length
  while (end > 0 && bytes[end - 1]! <= 0x20) end -= 1
  const endsWhole = bytes[end - 1] === CLOSE
  if (!endsWhole && !bytes.includes('}{')) return []
  const line = bytes.subarray(0, end)
  const single = endsWhole ? parseObject(line) : null
  if (single) return [{ ...single, start: 0, end }]
  const found = wholeRecords(line, isRecord)
  const isPartOfOpenObject = found[0] !== undefined && hasLostBytes(bytes.subarray(0, found[0].start), []) && found.at(-1)!.end !== end
  return isPartOfOpenObject ? [] : found
}
