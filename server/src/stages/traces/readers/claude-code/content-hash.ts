import { createHash, hash } from 'node:crypto'
import { blocksOf, isObject, type RawRecord } from './record.ts'

/** Records with more bytes are hashed piece by piece, without a copy of all of it. */
const MAX_JOINED = 256 * 1024

/**
 * Identifies a record by what it says and by what decides how it is read. Clients write a record again with other times, marks
 * of a copy, usage, or the keys in another order: that is still the same record. `bytes`: its size.
 */
export function contentHash(raw: RawRecord, bytes: number): string {
  if (bytes > MAX_JOINED) {
    const hasher = createHash('sha1')
    eachPiece(raw, (piece) => void hasher.update(`${piece}\0`))
    return hasher.digest('hex')
  }
  let text = ''
  eachPiece(raw, (piece) => void (text += `${piece}\0`))
  return hash('sha1', text)
}

function eachPiece(raw: RawRecord, add: (piece: string) => void): void {
  const { type, subtype, message, isMeta, isCompactSummary, isApiErrorMessage } = raw
  add(`${type} ${subtype} ${isMeta === true} ${isCompactSummary === true} ${isApiErrorMessage === true}`)
  if (!message) {
    for (const value of [raw.content, raw.attachment, raw.hookErrors]) add(plain(value))
    return
  }
  add(`${message.id} ${message.role}`)
  for (const block of blocksOf(message.content)) {
    add(`${block.type} ${block.id} ${block.name} ${block.tool_use_id} ${block.is_error === true}`)
    add(block.text ?? block.thinking ?? '')
    add(plain(block.input))
    add(plain(block.content))
  }
}

/** As JSON with sorted keys; texts as they are. */
const plain = (value: unknown): string => (value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(sorted(value)))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key])]),
  )
}
