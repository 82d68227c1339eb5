import { isHost, isUser } from './hosts.ts'
import type { KnownNames, PiiType } from './types.ts'

/** Names of this machine and its user, ready to be asked for every word of a text. */
export interface Known {
  /** Lower case. */
  names: ReadonlyMap<string, PiiType>
  /** By length, and by first letter (lower case; others than ASCII are always looked up): most words are told by these. */
  lengths: Uint8Array
  firsts: Uint8Array
}

const SHORTEST = 3
const LONGEST = 255

export function knownNames(names: KnownNames | undefined): Known | null {
  if (names === undefined) return null
  const known = { names: new Map<string, PiiType>(), lengths: new Uint8Array(LONGEST + 1), firsts: new Uint8Array(128) }
  const put = (type: PiiType, words: readonly string[] | undefined) => {
    for (const word of words ?? []) {
      const name = word.toLowerCase()
      if (name.length < SHORTEST || name.length > LONGEST || known.names.has(name)) continue
      known.names.set(name, type)
      known.lengths[name.length] = 1
      if (name.charCodeAt(0) < 128) known.firsts[name.charCodeAt(0)] = 1
    }
  }
  put('username', names.usernames?.filter(isUser))
  put('hostname', names.hostnames?.filter(isHost))
  put('person', names.people)
  return known.names.size === 0 ? null : known
}

/** Whose name the word from `start` to `end` is. */
export function knownAt(known: Known, text: string, start: number, end: number): PiiType | undefined {
  if (known.lengths[end - start] !== 1) return undefined
  const code = text.charCodeAt(start)
  if (code < 128 && known.firsts[code >= 65 && code <= 90 ? code + 32 : code] !== 1) return undefined
  return known.names.get(text.slice(start, end).toLowerCase())
}
