import { arnAt, distinguishedAt, machineAt, signedInAt } from './accounts.ts'
import { cityAt, placeOfStreet } from './addresses.ts'
import {
  ACCOUNT,
  AFTER,
  ANCHORS,
  BEFORE,
  BOX,
  CALL,
  CARRIER,
  CLINICAL,
  COMMAND,
  COOKIE,
  CREDIT,
  GREETING,
  HOME,
  INTERNAL,
  INTRO,
  KEY,
  KINDS_OF_MACHINE,
  LABEL,
  LOG,
  MONTH,
  NUMBERED,
  PAIRS,
  PLACE,
  PRINTER,
  QUERY,
  SCHEME,
  SIGN,
  SIGNED,
  SYSTEM,
  TELLING,
  TITLE,
  USER,
  VENDOR,
} from './anchors.ts'
import { callAt, jwkAt, puttyAt, vendorAt } from './calls.ts'
import { carriedAt } from './carriers.ts'
import { isWordCode } from './classes.ts'
import { clinicalAt } from './conditions.ts'
import { fieldAfter } from './fields.ts'
import { homeFolder, internalName, isUser } from './hosts.ts'
import { machineNamedAt, sshdAt, sudoAt, syslogAt, unameAt, userAt } from './logs.ts'
import { machinePhraseAt } from './machines.ts'
import { givenAt, mentionAt, partedAt } from './mentions.ts'
import { hostnameAt, loggedAt, printedAt, whoamiAt } from './outputs.ts'
import { credited, greeting, introduction, signature, title } from './people.ts'
import { boxAt, cityOfLand, livesIn, officeAt, placeAt, streetAfter, streetBefore } from './places.ts'
import { cookiesAt, schemeAt } from './secrets.ts'
import { tellingAt, userBefore } from './telling.ts'
import { toldNumberAt } from './told-numbers.ts'
import type { Report } from './types.ts'
import { codeAt, keyValueAt, libpqAt, pairsAt, redisAt, shoutedKeyAt } from './urls.ts'
import { userNamedAt } from './users.ts'
import { checkField } from './values.ts'
import { lower } from './words.ts'

const COMMON = new Set(['am', 'an', 'auf', 'im', 'in', 'unter', 'zum', 'zur'])

/** A whole word with a capital: may a name begin with it? Told by the two characters behind it. */
export function named(text: string, start: number, end: number, report: Report): void {
  const code = text.charCodeAt(start)
  if (!(code >= 65 && code <= 90) && !(code >= 0xc0 && text[start] !== text[start]!.toLowerCase())) return
  const next = text.charCodeAt(end)
  if (text.charCodeAt(start - 1) === 32) {
    const last = text.charCodeAt(start - 2)
    if (last > 96) placeAt(text, start, report)
    else if (last >= 48 && last <= 57) cityAt(text, start, report)
    else if (last === 44) placeOfStreet(text, start, report)
  }
  if (next === 32 || next === 45 || next === 39 || next === 0x2019) {
    const after = text.charCodeAt(end + 1)
    if ((after >= 65 && after <= 90) || (after >= 0xc0 && after <= 0x24f) || next !== 32) return mentionAt(text, start, report)
    if (after >= 97 && after <= 122) {
      if (after === 100 || after === 118 || after === 97 || after === 98 || after === 101) mentionAt(text, start, report)
      givenAt(text, start, end, report)
      officeAt(text, start, end, report)
    }
  } else if (next === 94 || next === 47) partedAt(text, start, end, report)
  else if (next === 44 || next === 46 || next === 63 || next === 33 || next === 41 || next === 10 || next !== next)
    givenAt(text, start, end, report)
  if (next === 44) cityOfLand(text, start, end, report)
}

/** A word that may name something: asks what it is for. */
export function word(text: string, start: number, end: number, hash: number, report: Report): void {
  const flags = ANCHORS.find(text, start, end, hash)
  if (flags === undefined) return
  const next = text.charCodeAt(end)
  // a letter of a hash is no word
  if (end - start === 1 && (isWordCode(next) || isWordCode(text.charCodeAt(start - 1)))) return
  if (flags & LABEL && !goesOn(text, start)) {
    const field = fieldAfter(text, start, end)
    if (field !== null) {
      checkField(field, report, text)
      if (field.kind === 'password') userBefore(text, start, report)
    }
  }
  if (flags & NUMBERED && !(flags & LABEL) && (next === 32 || next === 35) && isCount(text.charCodeAt(next === 35 ? end : end + 1))) {
    const field = fieldAfter(text, start, end)
    if (field !== null) checkField(field, report, text)
  }
  if (flags & HOME) homeFolder(text, start, end, report)
  if (flags & SCHEME) schemeAt(text, wordAt(text, start, end), end, report)
  if (flags & COOKIE) {
    const tie = (
      text.charCodeAt(start - 1) === 45 && text.charCodeAt(start - 2) === 45 ? /^[ =]["']?(?=[^\s"'=;]{1,80}=)/ : /^["']?\s*[:=,]\s*["'`]?/
    ).exec(text.slice(end, end + 90))
    if (tie !== null) cookiesAt(text, end + tie[0].length, report)
  }
  if (flags & PAIRS && end - start === 3) shoutedKeyAt(text, start, end, report)
  if (flags & PAIRS && text.charCodeAt(end) === 61) {
    pairsAt(text, start, report)
    if (text.charCodeAt(end - 1) === 121 && end - start === 3) keyValueAt(text, start, end, report)
    if (text.charCodeAt(end - 1) === 100) {
      libpqAt(text, start, report)
      redisAt(text, start, report)
    }
  }
  if (flags & CALL) callAt(text, end, wordAt(text, start, end), report)
  if (flags & VENDOR) vendorAt(text, start, end, report)
  if (flags & QUERY && next === 61) codeAt(text, start, end, report)
  const alone = start === 0 || !isWordCode(text.charCodeAt(start - 1))
  if (!alone || flags < GREETING) return
  if (flags & (GREETING | TITLE | INTRO) && (next === 32 || next === 44 || next === 46)) {
    if (flags & GREETING) greeting(text, start, end, report)
    if (flags & TITLE) title(text, start, end, report)
    if (flags & INTRO && next === 32) introduction(text, start, end, report)
  }
  if (flags & SIGN) signature(text, end, report)
  if (flags & CREDIT && isCredit(text, wordAt(text, start, end), start)) credited(text, end, report)
  if (flags & AFTER && text.charCodeAt(start - 1) === 32) streetAfter(text, start, end, report)
  if (flags & BEFORE && (next === 32 || next === 46) && (text.charCodeAt(start) < 97 || !COMMON.has(wordAt(text, start, end))))
    streetBefore(text, start, end, report)
  if (flags & NUMBERED) toldNumberAt(text, start, end, report)
  if (flags & INTERNAL) internalName(text, start, end, report)
  if (flags & LOG) sshdAt(text, start, report)
  if (flags & MONTH && next === 32) syslogAt(text, start, report)
  if (flags & SYSTEM && next === 32) unameAt(text, end, report)
  if (flags & PLACE && next === 32) livesIn(text, end, report)
  if (flags & KEY) {
    if (next === 45) puttyAt(text, end, report)
    else if (next === 34) jwkAt(text, start, report)
  }
  if (flags & TELLING) tellingAt(text, start, end, report)
  if (flags & CARRIER) carriedAt(text, start, end, report)
  if (flags & CLINICAL) clinicalAt(text, start, end, report)
  if (flags & ACCOUNT) accountAt(text, start, end, next, report)
  if (flags & PRINTER && next === 32 && mayPrint(text, start, end)) printedAt(text, start, report)
  if (flags & SIGNED && next === 32) signedInAt(text, start, report)
  if (flags & USER && (next === 32 || next === 61 || next === 58)) {
    userNamedAt(text, start, end, report)
    if (next === 32 && OF_ACCOUNTS.has(wordAt(text, start, end))) userAt(text, start, end, report)
  }
  if (flags & BOX) boxAt(text, start, end, report)
  if (flags & COMMAND) command(text, wordAt(text, start, end), end, report)
}

const OF_ACCOUNTS = new Set(['user', 'account'])
/** "pass" and "op" are words of sentences too. */
const mayPrint = (text: string, start: number, end: number) =>
  (text.charCodeAt(start) | 32) === 112 && end - start === 4
    ? text.startsWith('show', end + 1)
    : end - start === 2 && (text.charCodeAt(start) | 32) === 111
      ? text.startsWith('read', end + 1)
      : end - start === 6 && (text.charCodeAt(start) | 32) === 99
        ? text.startsWith('get ', end + 1)
        : true

/** Forms of accounts and machines that begin with the word at `start`, by the sign behind it. */
function accountAt(text: string, start: number, end: number, next: number, report: Report): void {
  if (next === 45 || text.charCodeAt(start - 1) === 45) machinePhraseAt(text, start, end, report)
  if (next === 61) {
    if (text.charCodeAt(start) === 84) sudoAt(text, start, report)
    else distinguishedAt(text, start, report)
  } else if (next === 45) {
    machineAt(text, start, report)
    arnAt(text, start, report)
  } else if (next === 47) {
    arnAt(text, start, report)
    loggedAt(text, start, report)
  } else if (next === 10 || next === 13 || next === 32) {
    const first = text.charCodeAt(start) | 32
    if (first === 119) whoamiAt(text, start, report)
    else if (first === 117 || (first === 104 && end - start === 8)) hostnameAt(text, start, report)
    if (next === 32 && KINDS_OF_MACHINE.has(wordAt(text, start, end))) machineNamedAt(text, start, end, report)
  }
}

/** `#`, n, N, №: what a word for number begins with. */
const isCount = (code: number) => code === 35 || code === 110 || code === 78 || code === 0x2116

const wordAt = (text: string, start: number, end: number) => text.slice(start, end).toLowerCase()

/** Whether a small letter follows a digit: `4b` is one word, and no label ends in one. */
const goesOn = (text: string, start: number) => {
  const before = text.charCodeAt(start - 1)
  return before >= 48 && before <= 57 && lower(text.charCodeAt(start)) === text.charCodeAt(start)
}

const DONE_BY =
  /(?:written|reported|authored|created|reviewed|approved|requested|submitted|signed|assigned|filed|posted|opened|merged|committed|changed|fixed|prepared|maintained|sent)\s$/i
/** `@author`, `user.name`, "written by". */
function isCredit(text: string, word: string, start: number): boolean {
  if (word === 'author') return text.charCodeAt(start - 1) === 64
  if (word === 'name') return text.slice(Math.max(0, start - 5), start) === 'user.'
  return DONE_BY.test(text.slice(Math.max(0, start - 12), start))
}

const OWNER = /^(?: -{1,2}[A-Za-z-]+)*(?: -u)? ((?!-)[a-z][a-z0-9._-]{1,31})(?::([a-z][a-z0-9._-]{1,31}))?(?= |$|\n)/
/** `chown jane:jane`, `su - jane`, `sudo -u jane`. */
function command(text: string, lower: string, end: number, report: Report): void {
  const slice = text.slice(end, end + 120)
  const match =
    lower === 'sudo' || lower === 'doas'
      ? /^(?: -[A-Za-z]+)*? -[A-Za-z]*u ([a-z][a-z0-9._-]{1,31})\b/.exec(slice)
      : lower === 'su'
        ? /^ (?:- |-l |--login )([a-z][a-z0-9._-]{1,31})\b/.exec(slice)
        : OWNER.exec(slice)
  if (match === null || lower === 'whoami') return
  for (const [index, name] of [match[1], match[2]].entries()) {
    if (name === undefined || !isOwner(name)) continue
    const from =
      end +
      match.index +
      (index === 1
        ? match[0].lastIndexOf(name)
        : match[0].indexOf(name, match[0].length - (match[2] === undefined ? name.length : match[1]!.length + match[2].length + 1)))
    report('username', lower, from, from + name.length, 0.75)
  }
}

const isOwner = (name: string) =>
  isUser(name) &&
  !/^(?:the|to|and|is|for|with|or|on|in|of|it|if|was|not|a|an|as|command|user|access|file|files|apt|apt-get|npm|rm|cat|chmod|env)$/.test(
    name,
  )
