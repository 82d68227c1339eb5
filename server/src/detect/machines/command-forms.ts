import type { CommandForm } from './command-form.ts'
import { HOSTS_IN_COMMANDS } from './hosts-in-commands.ts'
import { SECRETS_IN_COMMANDS } from './secrets-in-commands.ts'
import { USERS_IN_COMMANDS } from './users-in-commands.ts'
import { isTypeName } from '../expressions.ts'
import { isHost, isUser } from './hosts.ts'
import { lineEnd, lineStart } from '../lines.ts'
import type { WordRule } from '../word-rules.ts'
import { isMachine } from './machine-names.ts'
import { isPlaceholder } from '../secrets/placeholders.ts'
import { looksLikePassword, looksLikeSecret, UUID } from '../secrets/secret-values.ts'
import type { PiiType, Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

export const COMMAND_FORMS = new Map<string, CommandForm[]>()
for (const one of [...SECRETS_IN_COMMANDS, ...USERS_IN_COMMANDS, ...HOSTS_IN_COMMANDS])
  for (const word of one.words.split(' ')) COMMAND_FORMS.set(word, [...(COMMAND_FORMS.get(word) ?? []), one])

const CHARS_BEFORE = 200
const CHARS_AFTER = 320

type Precondition = (text: string, start: number, end: number) => boolean
const followedByIn: Precondition = (text, _start, end) => text.startsWith(' in', end)
const followedByFrom: Precondition = (text, _start, end) => text.slice(end, end + 60).includes(' from ')
const hasSignAhead: Precondition = (text, _start, end) => {
  for (let at = end + 1; at < end + 42; at += 1) {
    const code = text.charCodeAt(at)
    if (!(code > 32)) return text.charCodeAt(at + 1) === 47 && text.charCodeAt(at + 2) === 32 // `name / value`
    if (code === 33 || (code >= 35 && code <= 38) || code === 42) return true // ! # $ % & *
  }
  return false
}
/** Common words, with a condition on the text around them before their forms are tried. */
const PRECONDITIONS = new Map<string, Precondition>([
  ['get', followedByIn],
  ['set', (text, _start, end) => text.startsWith(' it to ', end)],
  ['log', followedByIn],
  ['sign', followedByIn],
  ...['use', 'uses', 'using', 'try', 'enter', 'type'].map((word): [string, Precondition] => [word, hasSignAhead]),
  ...['changed', 'rotated', 'reset'].map((word): [string, Precondition] => [word, followedByFrom]),
  ['connect', (text, _start, end) => text.charCodeAt(end) === 40 || text.startsWith(' to ', end)],
  ['host', (text, start, end) => text.charCodeAt(start) === 72 || (text.charCodeAt(end) === 32 && text.charCodeAt(start - 1) <= 36)],
  ['one', (text, _start, end) => text.startsWith(' (', end)],
  ['code', (text, start, end) => text.charCodeAt(start - 1) === 32 && /^(?: \p{L}{1,6}|:) \d/u.test(text.slice(end, end + 10))],
  ['md', (text, _start, end) => text.startsWith('5(', end)],
  ['sha', (text, _start, end) => text.charCodeAt(end) < 58],
  ['username', (text, _start, end) => text.charCodeAt(end) === 32 && /^ [\w.-]{2,40} (?:pass|sec)/.test(text.slice(end, end + 50))],
  ['begin', (text, _start, end) => text.charCodeAt(end) === 40],
  ['register', (text, _start, end) => text.charCodeAt(end) === 32],
  ['with', (text, _start, end) => /^ [\w.@-]{3,61} (?:\/|and) [^\s]*\d/.test(text.slice(end, end + 110))],
  ...['rds', 'cache', 'redshift', 'docdb'].map((word): [string, Precondition] => [
    word,
    (text, start) => text.charCodeAt(start - 1) === 46,
  ]),
  ['owner', (text, _start, end) => /^ to /i.test(text.slice(end, end + 4))],
  ['client', (text, _start, end) => text.charCodeAt(end) === 46 || text.charCodeAt(end) === 40],
  ...['server', 'node', 'machine', 'box'].map((word): [string, Precondition] => [
    word,
    (text, start, end) =>
      (word === 'server' && text.startsWith('_name', end)) ||
      (word === 'node' && (text.charCodeAt(start) === 78 || text.charCodeAt(end) === 47)) ||
      (word === 'host' && text.charCodeAt(start) === 72) ||
      (text.charCodeAt(end) === 32 && /^ ["'\x60]?[a-z]{3}[\w.-]{0,40}\d/.test(text.slice(end, end + 48))),
  ]),
  ['go', (text, _start, end) => text.startsWith(' to ', end)],
  ['hop', (text, _start, end) => text.startsWith(' ', end)],
  ...['opened', 'approved', 'commented', 'merged', 'reviewed', 'requested', 'closed', 'assigned', 'pushed', 'invited'].map(
    (word): [string, Precondition] => [word, (text, start, end) => text.charCodeAt(end) === 32 && text.charCodeAt(start - 1) === 32],
  ),
  ['login', (text, start, end) => text.charCodeAt(end) === 32 || text.charCodeAt(end) === 40 || text.charCodeAt(start - 1) === 32],
  ['session', (text, _start, end) => text.charCodeAt(end) === 32],
  ['agent', (text, _start, end) => text.charCodeAt(end) === 32],
  [
    'password',
    (text, start, end) => text.charCodeAt(start - 1) === 45 || text.charCodeAt(end) === 95 || /^ for /i.test(text.slice(end, end + 5)),
  ],
])

/** Tries the forms of a word on its line. */
export function commandFormAt(word: string): WordRule {
  const precondition = PRECONDITIONS.get(word)
  const forms = COMMAND_FORMS.get(word) ?? []
  return (text, start, end, _next, report) => {
    if (precondition === undefined || precondition(text, start, end)) reportForms(text, start, end, forms, report)
  }
}

function reportForms(text: string, start: number, end: number, forms: readonly CommandForm[], report: Report): void {
  const from = lineStart(text, start, CHARS_BEFORE)
  const lead = from > 0 && text[from - 1] === '\n' ? from - 1 : from
  const line = text.slice(lead, lineEnd(text, end, CHARS_AFTER))
  for (const { form, groups, needs } of forms) {
    if (needs !== undefined && !needs.some((part) => line.includes(part))) continue
    form.lastIndex = 0
    const match = form.exec(line)
    if (match?.indices === undefined) continue
    const places = match.indices.slice(1).filter((place) => place !== undefined)
    for (const [index, [first, last]] of places.entries()) {
      const type = groups[index]
      const value = line.slice(first, last)
      if (type !== undefined && type !== 'date' && isPlausible(type, value)) report(type, 'command', lead + first, lead + last, 0.8)
    }
  }
}

function isPlausible(type: PiiType, value: string): boolean {
  if (type === 'password' && /^\$\d\w?\$/.test(value)) return value.length > 20
  if (isPlaceholder(value) || /^[$%<{]/.test(value)) return false
  // a page address, a renamed identifier, a type with its width
  if (/^[\w/.-]+\?\w+=|^[A-Z][A-Za-z]+\$\d$/.test(value) || (type === 'hostname' && isTypeName(value))) return false
  if (type === 'connection_string' || /^(?:\d{6}-){7}\d{6}$|^(?:[A-Z2-7]{4} ){3,15}[A-Z2-7]{4}$/.test(value)) return true
  if (type === 'secret' && /^\d{3}[ -]\d{3}$|^(?!(?:19|20)\d\d$)\d{4,8}$/.test(value)) return true
  if (type === 'username') return isUser(value) && !UUID.test(value) && !/[@=]/.test(value)
  if (type === 'hostname')
    return (
      isHost(value) &&
      !/^ip-\d+-\d+/.test(value) &&
      (/[-\d]/.test(value) || isMachine(value)) &&
      !/^(?:docker|container|host|server|node|app)-?\d?$/.test(value) &&
      (!value.includes('.') || isMachine(value))
    )
  if (type === 'password' && /\s/.test(value) && /^[a-z]{2,8} \S+$|\.\w{2,4}$/.test(value)) return false
  if (type === 'password' && /^(?:guest|admin|root|test|user|postgres|changeme)\d?$/i.test(value)) return false
  if (type === 'password') return looksLikePassword(value, { quoted: false, firm: true }) || / /.test(value)
  return looksLikeSecret(value, { quoted: true, uuid: true, least: 8 }) || /[A-Z].*\d|\d.*[A-Z]/.test(value)
}

const PGPASS = /([\w.*-]{1,100}):(\d{2,5}|\*):([\w.*-]{1,63}):([\w.-]{1,63}):([^\s:"']{3,100})(?=[ \t]*(?:\r?\n|$))/dy
const HTPASSWD = /([\w.@-]{2,60}):(\$(?:apr1|2[abxy]|5|6|1|y)\$[./\w$=,-]{20,200}|\{(?:SSHA|SHA|MD5)\}[A-Za-z0-9+/=]{20,80})/dy
/** `host:5432:base:user:password` of .pgpass, `user:$apr1$…` of htpasswd and shadow: their first colon is at `at`. */
export function passwordFileAt(text: string, at: number, report: Report): void {
  const next = text.charCodeAt(at + 1)
  const isHash = next === 36 || next === 123
  if (!isHash && text.charCodeAt(at + 2) !== 58 && text.charCodeAt(at + 5) !== 58 && text.charCodeAt(at + 6) !== 58) return
  let start = at
  while (start > 0 && at - start < 100 && /[\w.*@-]/.test(text[start - 1]!)) start -= 1
  if (start === at) return
  const form = isHash ? HTPASSWD : PGPASS
  const places = matchAt(form, text, start)?.indices
  if (places === undefined) return
  if (isHash) {
    const [, user, hash] = places
    if (isUser(text.slice(...user!))) report('username', 'htpasswd', user![0], user![1], 0.75)
    report('password', 'htpasswd', hash![0], hash![1], 0.8)
    return
  }
  if (start > 0 && text[start - 1] !== '\n') return
  const [, host, , , user, password] = places
  const value = text.slice(...password!)
  if (/^\d+(?:\.\d+)*$/.test(value) || !looksLikePassword(value, { quoted: false, firm: true })) return
  if (/[.]/.test(text.slice(...host!)) && !isHost(text.slice(...host!))) return
  if (isUser(text.slice(...user!))) report('username', 'pgpass', user![0], user![1], 0.75)
  report('password', 'pgpass', password![0], password![1], 0.8)
}
