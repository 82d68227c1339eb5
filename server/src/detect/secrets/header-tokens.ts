import { isPlaceholder } from './placeholders.ts'
import { isRandomLetters } from './random-letters.ts'
import { isWordPassphrase } from './word-passphrases.ts'
import type { Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

/** Tokens in request headers made for tokens: `X-Api-Key: …`, `"PRIVATE-TOKEN": "…"`, `Authorization: Token …`. */

/** Last words of such headers. */
export const HEADER_WORDS = ['key', 'token', 'secret', 'authorization', 'auth']
const HEADER =
  /^(?:authorization|proxy-authorization|private-token|deploy-token|job-token|api-key|apikey|x-(?:[a-z0-9]+-){0,3}(?:api-?key|access-key|key|token|auth|secret|authorization)|(?:[a-z0-9]+-){1,3}(?:api-key|auth-key|auth-token|access-token|secret-key))$/i
const PUBLIC = /csrf|xsrf|idempotency|request|trace|public|publishable|sentinel|continuation|next|page|cache|partition|sort/i
const SEPARATOR = /["'`]?\]?[ \t]{0,4}(?::|=>|=|,)[ \t]{0,4}[rbfu]{0,2}(["'`]?)/y
const SCHEME = /(?:Bearer|Token|ApiKey|Api-Key|Key|SSWS|Splunk|OAuth|GoogleLogin auth=|Basic)[ =]{1,2}/iy
const VALUE = /[A-Za-z0-9_\-.~+/=:!@#%^&*]{8,400}/y

/** Reports the token after a header whose last word is from `start` to `end`. */
export function headerTokenAt(text: string, start: number, end: number, report: Report): void {
  let from = start
  const least = Math.max(0, start - 48)
  while (from > least && isNameCode(text.charCodeAt(from - 1))) from -= 1
  const name = text.slice(from, end)
  if (!HEADER.test(name) || PUBLIC.test(name)) return
  const separator = matchAt(SEPARATOR, text, end)
  if (separator === null) return
  SCHEME.lastIndex = SEPARATOR.lastIndex
  const at = SCHEME.test(text) ? SCHEME.lastIndex : SEPARATOR.lastIndex
  const value = matchAt(VALUE, text, at)?.[0].replace(/[.:]+$/, '')
  if (value === undefined || isPlaceholder(value)) return
  const next = text[at + value.length] ?? ''
  // more of an expression follows: a call, a member, a template
  if (/[([{$<]/.test(next) || (separator[1] === '' && /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value))) return
  const isQuoted = separator[1] !== '' && next === separator[1]
  const isToken =
    isRandomLetters(value) ||
    isWordPassphrase(value) ||
    (value.length >= 12 && /\d/.test(value) && /[A-Za-z]/.test(value) && (isQuoted || value.length >= 16) && !CODE.test(value))
  if (isToken) report('auth_token', 'header', at, at + value.length, 0.8)
}
/** Names, versions, dates and paths are not tokens. */
const CODE =
  /^[A-Za-z_]+\d{0,3}$|^AWS4-HMAC-|^[a-z]+(?:[-_./][a-z]+)*[-_./]?\d{0,4}$|^[A-Z]+(?:_[A-Z\d]+)+$|^\d{4}-\d\d-\d\d|^\/|^[a-z]+[-:]\/\/|^[a-z]+(?:[A-Z][a-z]+)+\d*$|^[\w-]+\.[\w.-]+\.[a-z]{2,6}$/

const isNameCode = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 45
