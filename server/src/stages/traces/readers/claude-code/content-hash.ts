import { createHash, hash } from 'node:crypto'
import { blocksOf, isObject, type RawRecord } from './record.ts'

/** Longer content is hashed piece by piece, without a copy of all of it. */
const MAX_JOINED = 256 * 1024

/**
 * Identifies a record by what it says and by what decides how it is read. Clients write a record again with other times, marks
 * of a copy, usage, or the keys in another order: that is still the same record.
 */
export function contentHash(raw: RawRecord): string {
  const pieces: string[] = [raw.type ?? '', raw.subtype ?? '', flagsOf(raw)]
  if (raw.message) {
    pieces.push(raw.message.id ?? '', raw.message.role ?? '')
    for (const { type, text, thinking, id, name, input, tool_use_id: toolUseId, content, is_error: isError } of blocksOf(
      raw.message.content,
    )) {
      pieces.push(type ?? '', text ?? '', thinking ?? '', id ?? '', name ?? '', toolUseId ?? '', isError === true ? 'error' : '')
      pieces.push(plain(input), plain(content))
    }
  } else pieces.push(plain(raw.content), plain(raw.attachment), plain(raw.hookErrors))
  let length = 0
  for (const piece of pieces) length += piece.length
  if (length <= MAX_JOINED) return hash('sha1', pieces.join('\0'))
  const hasher = createHash('sha1')
  for (const [index, piece] of pieces.entries()) hasher.update(index === 0 ? piece : `\0${piece}`)
  return hasher.digest('hex')
}

const flagsOf = ({ isMeta, isCompactSummary, isApiErrorMessage }: RawRecord): string =>
  `${Number(isMeta === true)}${Number(isCompactSummary === true)}${Number(isApiErrorMessage === true)}`

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
