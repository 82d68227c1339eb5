import { arnAt, distinguishedAt, machineAt } from './machines/system-accounts.ts'
import { isUser } from './machines/hosts.ts'
import { fieldAfter } from './labels/field-after-label.ts'
import { hostnameAt, loggedAt, whoamiAt } from './machines/command-output.ts'
import { machinePhraseAt } from './machines/machine-names.ts'
import { sudoAt } from './machines/log-lines.ts'
import { creditedNameAt } from './people/introduced-people.ts'
import { cookiesAt } from './secrets/secret-formats.ts'
import { userBefore } from './secrets/secret-in-sentence.ts'
import type { Report } from './types.ts'
import { keyValueAt, libpqAt, pairsAt, redisAt, upperCaseKeyAt } from './machines/urls.ts'
import { checkField } from './labels/values.ts'
import { lower } from './word-table.ts'

/** Examines the text around a word from `start` to `end`; `next` is the character code after it, NaN at the end. */
export type WordRule = (text: string, start: number, end: number, next: number, report: Report) => void

/** Looks for a value after the last word of a label. */
export const labelAt: WordRule = (text, start, end, _next, report) => {
  if (isDigitSuffix(text, start)) return
  const field = fieldAfter(text, start, end)
  if (field === null) return
  checkField(field, report, text)
  if (field.kind === 'password') userBefore(text, start, report)
}

/** A word that is a label only when a number sign follows: "permit #12". */
export const numberedLabelAt: WordRule = (text, start, end, next, report) => {
  if (!((next === 32 || next === 35) && isNumberSign(text.charCodeAt(next === 35 ? end : end + 1)))) return
  const field = fieldAfter(text, start, end)
  if (field !== null) checkField(field, report, text)
}
/** First characters of words for "number": `#`, n, N, №. */
const isNumberSign = (code: number) => code === 35 || code === 110 || code === 78 || code === 0x2116

/** Whether a lower-case letter follows a digit, as in `4b`; no label ends with such a word. */
const isDigitSuffix = (text: string, start: number) => {
  const before = text.charCodeAt(start - 1)
  return before >= 48 && before <= 57 && lower(text.charCodeAt(start)) === text.charCodeAt(start)
}

export const cookieAt: WordRule = (text, start, end, _next, report) => {
  const separator = (
    text.charCodeAt(start - 1) === 45 && text.charCodeAt(start - 2) === 45 ? /^[ =]["']?(?=[^\s"'=;]{1,80}=)/ : /^["']?\s*[:=,]\s*["'`]?/
  ).exec(text.slice(end, end + 90))
  if (separator !== null) cookiesAt(text, end + separator[0].length, report)
}

/** A key of a connection string: `pwd=`, `AccountKey=`. */
export const pairAt =
  (word: string): WordRule =>
  (text, start, end, next, report) => {
    if (word.length === 3) upperCaseKeyAt(text, start, end, report)
    if (next !== 61) return
    pairsAt(text, start, report)
    if (word === 'key') keyValueAt(text, start, end, report)
    if (word.endsWith('d')) {
      libpqAt(text, start, report)
      redisAt(text, start, report)
    }
  }

/** Accounts and hosts that start with the word, by the character after it. */
export const accountAt: WordRule = (text, start, end, next, report) => {
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
  }
}

/** `@author`, `user.name`, "written by". */
export const creditAt =
  (word: string): WordRule =>
  (text, start, end, _next, report) => {
    const isCredit =
      word === 'author'
        ? text.charCodeAt(start - 1) === 64
        : word === 'name'
          ? text.slice(Math.max(0, start - 5), start) === 'user.'
          : CREDIT_VERBS.test(text.slice(Math.max(0, start - 12), start))
    if (isCredit) creditedNameAt(text, end, report)
  }
const CREDIT_VERBS =
  /(?:written|reported|authored|created|reviewed|approved|requested|submitted|signed|assigned|filed|posted|opened|merged|committed|changed|fixed|prepared|maintained|sent)\s$/i

const OWNER = /^(?: -{1,2}[A-Za-z-]+)*(?: -u)? ((?!-)[a-z][a-z0-9._-]{1,31})(?::([a-z][a-z0-9._-]{1,31}))?(?= |$|\n)/
/** `chown jane:jane`, `su - jane`, `sudo -u jane`. */
export const commandAt =
  (word: string): WordRule =>
  (text, _start, end, _next, report) => {
    const slice = text.slice(end, end + 120)
    const match =
      word === 'sudo' || word === 'doas'
        ? /^(?: -[A-Za-z]+)*? -[A-Za-z]*u ([a-z][a-z0-9._-]{1,31})\b/.exec(slice)
        : word === 'su'
          ? /^ (?:- |-l |--login )([a-z][a-z0-9._-]{1,31})\b/.exec(slice)
          : OWNER.exec(slice)
    if (match === null || word === 'whoami') return
    for (const [index, name] of [match[1], match[2]].entries()) {
      if (name === undefined || !isOwner(name)) continue
      const from =
        end +
        match.index +
        (index === 1
          ? match[0].lastIndexOf(name)
          : match[0].indexOf(name, match[0].length - (match[2] === undefined ? name.length : match[1]!.length + match[2].length + 1)))
      report('username', word, from, from + name.length, 0.75)
    }
  }

const isOwner = (name: string) =>
  isUser(name) &&
  !/^(?:the|to|and|is|for|with|or|on|in|of|it|if|was|not|a|an|as|command|user|access|file|files|apt|apt-get|npm|rm|cat|chmod|env)$/.test(
    name,
  )
