import { isUser } from '../machines/hosts.ts'
import { isOrdinaryWord } from '../people/names.ts'
import { isPlaceholder } from './placeholders.ts'
import { isRandomLetters } from './random-letters.ts'
import { isEvidentPassword } from './secret-values.ts'
import { isWordPassphrase } from './word-passphrases.ts'
import type { Report } from '../types.ts'

/** A user and a password separated by a slash in a sentence about logging in: "the login is jroe / …". */

/** Words in sentences about logging in. */
export const LOGIN_WORDS =
  'login log logon signin sign credentials creds user username account password try use using zugangsdaten anmelden identifiants credenciales'.split(
    ' ',
  )
const AHEAD = 64
const SLASH = ' / '

/** A word of LOGIN_WORDS ends at `end`; the pair follows on the same line, within 64 characters. */
export function loginPairAt(text: string, end: number, report: Report): void {
  if (!hasSlash(text, end)) return
  const rest = text.slice(end, end + AHEAD + 100)
  // "user / password: jroe / …": the first slash is between the words
  for (let at = rest.indexOf(SLASH); at >= 0 && at < AHEAD; at = rest.indexOf(SLASH, at + SLASH.length)) {
    const before = rest.slice(0, at)
    if (before.includes('\n')) return
    const name = /(?:^|[\s"'`(:=])([A-Za-z][\w.@+-]{1,39})["'`]?$/.exec(before.slice(-44))?.[1]
    const value = /^["'`]?([^\s"'`,;<>()]{6,80})/.exec(rest.slice(at + SLASH.length))?.[1]?.replace(/[.:!?]$/, '')
    if (name === undefined || value === undefined || isPlaceholder(value) || !isPassword(value)) continue
    const start = end + rest.indexOf(value, at + SLASH.length)
    report('password', 'pair', start, start + value.length, 0.75)
    const user = end + before.lastIndexOf(name)
    if (isUser(name) && !name.includes('@')) report('username', 'pair', user, user + name.length, 0.7)
    return
  }
}

/** Whether a slash between spaces follows within 64 characters on the line. */
function hasSlash(text: string, from: number): boolean {
  for (let at = from; at < from + AHEAD; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 47) {
      if (text.charCodeAt(at - 1) === 32 && text.charCodeAt(at + 1) === 32) return true
    } else if (!(code > 10)) return false
  }
  return false
}

const isPassword = (value: string) =>
  isEvidentPassword(value) ||
  isRandomLetters(value) ||
  isWordPassphrase(value) ||
  isHyphened(value) ||
  /\p{Ll}\d\p{Ll}+\d\p{Ll}|\p{Ll}\d\p{Lu}/u.test(value)

/** Whether a value has three or more hyphenated parts, at most one of them a number: `zebra-tango-42`, `Sommer-Regen-Wind`. */
function isHyphened(value: string): boolean {
  const parts = value.split('-')
  if (parts.length < 3 || value.length < 12) return false
  const words = parts.filter((part) => /^\p{L}{3,}$/u.test(part))
  return (
    words.length >= 2 &&
    words.length >= parts.length - 1 &&
    parts.every((part) => /^(?:\p{L}{3,}|\d{1,6}[!?#]?)$/u.test(part)) &&
    !words.every((word) => isOrdinaryWord(word))
  )
}
