import { isHost, isUser } from '../machines/hosts.ts'
import type { KnownNames, PiiType } from '../types.ts'
import { matchAt } from '../match-at.ts'

/** Names of this machine and its user, indexed for a fast look-up of every word in a text. */
export interface KnownNameIndex {
  /** For each first word, lower case, the names that begin with it, longest first. */
  names: ReadonlyMap<string, { type: PiiType; rest: RegExp | null }[]>
  /** Lengths and first letters of the first words; they rule out most words of a text. */
  lengths: Uint8Array
  firsts: Uint8Array
}

const SHORTEST = 3
const LONGEST = 255
/** An identifier as the sweep reads it. */
const FIRST_WORD = /^[\p{L}\p{M}\d_]+/u

export function indexKnownNames(names: KnownNames | undefined): KnownNameIndex | null {
  if (names === undefined) return null
  const all = new Map<string, PiiType>()
  const addAll = (type: PiiType, values: readonly string[] | undefined) => {
    for (const value of values ?? []) {
      const name = value.trim().toLowerCase()
      if (name.length >= SHORTEST && name.length <= LONGEST && !all.has(name)) all.set(name, type)
    }
  }
  addAll('username', names.usernames?.filter(isUser))
  addAll('hostname', names.hostnames?.filter(isHost))
  addAll('person', names.people)

  const known = {
    names: new Map<string, { type: PiiType; rest: RegExp | null }[]>(),
    lengths: new Uint8Array(LONGEST + 1),
    firsts: new Uint8Array(128),
  }
  for (const [name, type] of [...all].toSorted(([a], [b]) => b.length - a.length)) {
    const first = FIRST_WORD.exec(name)?.[0]
    if (first === undefined) continue
    known.names.set(first, [...(known.names.get(first) ?? []), { type, rest: restOf(name.slice(first.length)) }])
    known.lengths[first.length] = 1
    if (first.charCodeAt(0) < 128) known.firsts[first.charCodeAt(0)] = 1
  }
  return known.names.size === 0 ? null : known
}

/** The rest of the name with any spacing; null if the name is one word. */
function restOf(rest: string): RegExp | null {
  if (rest === '') return null
  const parts = rest
    .split(/(\s+)/)
    .map((part) => (/^\s+$/.test(part) ? String.raw`[\s_.-]{1,4}` : part.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)))
  return new RegExp(String.raw`${parts.join('')}(?![\p{L}\p{N}])`, 'iuy')
}

/** The name that begins with the word from `start` to `end`, with its end. */
export function knownNameAt(known: KnownNameIndex, text: string, start: number, end: number): { type: PiiType; end: number } | undefined {
  if (known.lengths[end - start] !== 1) return undefined
  const code = text.charCodeAt(start)
  if (code < 128 && known.firsts[code >= 65 && code <= 90 ? code + 32 : code] !== 1) return undefined
  for (const { type, rest } of known.names.get(text.slice(start, end).toLowerCase()) ?? []) {
    if (rest === null) return { type, end }
    const match = matchAt(rest, text, end)
    if (match !== null) return { type, end: end + match[0].length }
  }
  return undefined
}
