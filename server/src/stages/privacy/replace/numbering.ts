import { lookup } from '#contracts/lookup.ts'
import { SECRET_TYPES, type PiiType } from '#contracts/entities/privacy.ts'
import { canonical } from './canonical.ts'

/** Label numbers that outlive a record. They contain no values, only keyed digests of them. */
export interface LabelNumbers {
  /** By digest of a value. A secret keeps the type under which it was found first. */
  byValue: Record<string, NumberedType>
  /** By digest of a line of a private key, so that a part of a key has the number of the key. */
  byKeyLine: Record<string, NumberedType>
  /** The highest number by type, including those in texts. */
  last: Record<string, number>
}

export interface NumberedType {
  type: PiiType
  number: number
}

/** Numbers for the labels of one record: equal values share a number, different values of a type do not. */
export interface Numbering {
  numberOf(type: PiiType, value: string): NumberedType
  /** Starts the next record. `text` returns its content, because label numbers already in it must not be reused. */
  restart(text: () => string): void
}

/** Longer numbers are left out, so that a text cannot use up all numbers that labels may have. */
const LABEL = /\[([A-Z_]{2,30})_(\d{1,6})\]|redacted-([a-z-]{2,30})-(\d{1,6})\.invalid/g

/** A shorter line may be in several keys. */
const LEAST_OWN_LINE = 32
/** How the first line of every key of OpenSSH begins; without a passphrase the whole line is the same. */
const OPENSSH = 'b3BlbnNzaC1rZXkt'

/** Numbers from 1 in every record. */
export function createNumbering(): Numbering {
  let numbers = new Map<string, number>()
  let last: Record<string, number> | null = lookup()
  let textOf = () => ''
  return {
    numberOf(type, value) {
      const valueKey = `${type}\0${spelling(type, value)}`
      const existing = numbers.get(valueKey)
      if (existing !== undefined) return { type, number: existing }
      last ??= raised(lookup(), textOf())
      const number = (last[type] ?? 0) + 1
      last[type] = number
      numbers.set(valueKey, number)
      return { type, number }
    },
    restart(text) {
      numbers = new Map()
      last = null
      textOf = text
    },
  }
}

/** Continues `labels`, which it changes: a value has the same number in all records. */
export function createLastingNumbering(labels: LabelNumbers, digestOf: (text: string) => string): Numbering {
  const { byValue, byKeyLine, last } = labels
  /** Digests of the lines that only one key has. */
  const linesOf = (type: PiiType, value: string): string[] =>
    type !== 'private_key'
      ? []
      : keyLines(value).flatMap((line) => (line.length < LEAST_OWN_LINE || line.startsWith(OPENSSH) ? [] : [digestOf(`key line\0${line}`)]))
  const knownPart = (lines: readonly string[]): NumberedType | undefined => {
    const known = lines.find((line) => Object.hasOwn(byKeyLine, line))
    return known === undefined ? undefined : byKeyLine[known]
  }
  return {
    numberOf(type, value) {
      const valueKey = digestOf(`${SECRET_TYPES.includes(type) ? 'secret' : type}\0${spelling(type, value)}`)
      const existing = Object.hasOwn(byValue, valueKey) ? byValue[valueKey] : undefined
      if (existing !== undefined) return existing
      const lines = linesOf(type, value)
      let numbered = knownPart(lines)
      if (numbered === undefined) {
        const number = (Object.hasOwn(last, type) ? last[type]! : 0) + 1
        last[type] = number
        numbered = byValue[valueKey] = { type, number }
      }
      for (const line of lines) byKeyLine[line] = numbered
      return numbered
    },
    restart: (text) => void raised(last, text()),
  }
}

/** How many values of each type have a number. */
export function countsOf({ byValue }: LabelNumbers): Record<string, number> {
  const counts: Record<string, number> = lookup()
  for (const { type } of Object.values(byValue)) counts[type] = (counts[type] ?? 0) + 1
  return counts
}

/** `last` raised to the numbers of the labels in a text. */
function raised(last: Record<string, number>, text: string): Record<string, number> {
  for (const [, bracketed, first, host, second] of text.matchAll(LABEL)) {
    const type = (bracketed ?? host!).toLowerCase().replaceAll('-', '_')
    last[type] = Math.max(Object.hasOwn(last, type) ? last[type]! : 0, Number(first ?? second))
  }
  return last
}

/** Equal for all spellings of a value. */
function spelling(type: PiiType, value: string): string {
  return type === 'private_key' ? keyLines(value).join('') || value : canonical(type, value)
}

/** The lines of a private key, without what a listing, a diff or JSON puts around them. */
export const keyLines = (value: string): string[] => value.split(/\\+[rn]|[\r\n]/).map(base64AtEnd)

function base64AtEnd(line: string): string {
  let end = line.length
  while (end > 0 && /[\s"'\\,|>]/.test(line[end - 1]!)) end -= 1
  let start = end
  while (start > 0 && /[A-Za-z0-9+/=]/.test(line[start - 1]!)) start -= 1
  const isAdded = line[start] === '+' && (end - start) % 4 === 1 // the + of a diff
  return line.slice(isAdded ? start + 1 : start, end)
}
