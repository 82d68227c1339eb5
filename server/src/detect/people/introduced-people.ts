import { lookup } from '#contracts/lookup.ts'
import { COUNTRIES } from '../lexicon.ts'
import { givenNameRank, isGivenName, isNeverName, nameLikeness } from './names.ts'
import type { Report } from '../types.ts'
import { leadingName } from '../labels/value-people.ts'
import { matchAt } from '../match-at.ts'

/** Names after a greeting, a title, an introduction or a sign-off, and authors of commits. */

const NAME = String.raw`\p{Lu}[\p{L}\p{M}'’-]+(?:[ ](?:(?:de|da|do|dos|das|del|della|di|du|la|le|van|der|den|von|zu|bin|al|el|ter|ten) ){0,3}\p{Lu}[\p{L}\p{M}'’.-]*){0,3}`
const AFTER = new RegExp(
  String.raw`^[ \t]*,?[ \t]*((?:(?:Mr|Mrs|Ms|Mx|Dr|Prof|Herrn?|Frau|Mme|Mlle|Monsieur|Madame|M|Sr|Sra|Sig|Signor|Signora|Dott|Dhr|Mevr|Mevrouw|Meneer|Señora?|Senhora?)\.?[ ]){0,2})(${NAME})`,
  'u',
)
const WITH_MAIL = new RegExp(String.raw`(${NAME}|\p{Lu}[\p{L}\p{M}'’-]+, ${NAME}|[\p{L}\p{M}][\p{L}\p{M}'’. -]{1,40}?)["']?[ ]?<$`, 'u')

/** Whether a capital follows after spaces and commas; a cheap check before slicing the text. */
function capitalFollows(text: string, end: number): boolean {
  let at = end
  let code = text.charCodeAt(at)
  while (code === 32 || code === 9 || code === 44) code = text.charCodeAt((at += 1))
  return (code >= 65 && code <= 90) || code >= 0xc0
}

function nameAfter(text: string, end: number): { start: number; end: number; name: string; titled: boolean } | null {
  if (!capitalFollows(text, end)) return null
  const match = AFTER.exec(text.slice(end, end + 90))
  if (match === null) return null
  const name = match[2]!.replace(/[.'’-]+$/, '')
  const start = end + match[0].length - match[2]!.length
  if (/[\p{N}_(]/u.test(text[start + match[2]!.length] ?? '')) return null
  return { start, end: start + name.length, name, titled: match[1] !== '' }
}

/** Reports the longest leading part of the words that may be a name. */
function reportPerson(
  person: { start: number; name: string; titled?: boolean } | null,
  detector: string,
  report: Report,
  confidence: number,
  single: boolean,
): boolean {
  if (person === null) return false
  let name = person.name.replace(/['’]s$/, '')
  while (name !== '') {
    const { words, given, sure } = nameLikeness(name)
    if (sure > 0 && (words > 1 || given || (single && name.length > 2 && !isNeverName(name)))) {
      report('person', detector, person.start, person.start + name.length, given ? confidence : confidence - 0.12)
      return true
    }
    name = name.includes(' ') ? name.slice(0, name.lastIndexOf(' ')) : ''
  }
  return false
}

/** "Hi Jane,", "Sehr geehrte Frau Müller": `end` is after the greeting word. */
export function greetingAt(text: string, start: number, end: number, report: Report): void {
  if (/[\w.'"/\\-]/.test(text[start - 1] ?? ' ') && text[start - 1] !== '"' && text[start - 1] !== "'") return
  const more = /^(?: (?:geehrter?|again|there|team|dear|all))?/.exec(text.slice(end, end + 12))![0].length
  const person = nameAfter(text, end + more)
  if (person === null) return
  const behind = text.slice(person.end, person.end + 2)
  const first = person.name.split(' ')[0]!
  const isGreeted = /^\s*[,!.:;\n—–-]/.test(behind) || person.titled || behind === ''
  const name = nameLikeness(first)
  if (isGreeted || name.given) reportPerson(person, 'greeting', report, 0.85, isGreeted && (person.titled || /^[,!\n]/.test(behind)))
}

const TITLED = new RegExp(
  String.raw`^\.?(?:[ ](?:Dr|Prof|med|Ing|Mag|Dipl|DI|MMag|Lic|Arq|Abg|Avv|Rag|Geom|Eng|Mgr|MUDr|JUDr|RNDr|PhDr|Drs|Mr|jur|rer|nat|phil|habil|h\.c)\.?(?=[ ]))*[ ]((?:(?:van|de|der|den|von|zu|di|del|da|le|la|ter|ten) ){0,2}${NAME})`,
  'u',
)
const TITLES: Record<string, number> = lookup({ m: 1, sr: 1, sig: 1 })
/** "Dr. Weber", "Frau Müller", "Mr Smith". */
export function titleAt(text: string, start: number, end: number, report: Report): void {
  if (/[\p{L}\d_.@/-]/u.test(text[start - 1] ?? ' ')) return
  const word = text.slice(start, end).toLowerCase()
  if (!/^\p{Lu}/u.test(text.slice(start, start + 1))) return
  if ((word in TITLES || /^\p{Lu}{2,}$/u.test(text.slice(start, end))) && text[end] !== '.') return
  const match = TITLED.exec(text.slice(end, end + 80))
  if (match === null) return
  if (
    /^\p{Lu}{2,}$/u.test(match[1]!) &&
    text[start] !== text[start]!.toUpperCase() + text[start + 1]!.toUpperCase() &&
    !isGivenName(match[1]!)
  )
    return
  reportPerson({ start: end + match[0].length - match[1]!.length, name: match[1]!.replace(/[.'’-]+$/, '') }, 'title', report, 0.85, true)
}

/** "my name is Jane Doe", "ich heiße …", "je m'appelle …": `end` is after the last word of the phrase. */
export function introductionAt(text: string, start: number, end: number, report: Report): void {
  if (!capitalFollows(text, end)) return
  const before = text.slice(Math.max(0, start - 24), end)
  const phrase =
    /(?:\bmy name is|\bname's|\bthis is|\bi am|\bi['’]m|\bmein name ist|\bich heiße|\bich heisse|\bich bin|\bje m['’]appelle|\bje suis|\bmon nom est|\bme llamo|\bmi nombre es|\bsoy|\bmi chiamo|\bil mio nome è|\bsono|\bmeu nome é|\bme chamo|\bchamo-me|\bsou (?:o|a)|\bmijn naam is|\bik heet|\bik ben|\bcall me|(?<!model )\bnamed|(?<!model )\bcalled|\bpatient|\bpt|\bpat\.|\bcustomer|\bemployee|\bcolleague|\b(?:met|meeting|lunch|talked|interview) with|\bspoke (?:to|with)|\bmanager|\bcontact|\bcaller|\bclient|\bguest|\btenant|\bpassenger|\bnurse|\bstudent|\bask|\btold|\bmet|\bfor|\bfrom)$/i.exec(
      before,
    )
  if (phrase === null) return
  const person = nameAfter(text, end)
  if (person === null || (/this is$/i.test(phrase[0]) && !nameLikeness(person.name).given)) return
  // after a preposition only a known given name with a surname counts
  if (/\b(?:for|from|ask|told|met)$/i.test(phrase[0])) {
    const pair = /^\p{Lu}[\p{L}\p{M}'’-]+ (?:(?:de|van|von|der|den|da|di|del|al) )*\p{Lu}[\p{L}\p{M}'’-]{2,}/u.exec(person.name)?.[0]
    if (pair !== undefined && isGivenName(pair.slice(0, pair.indexOf(' '))) && !isNeverName(pair.slice(0, pair.indexOf(' '))))
      reportPerson({ ...person, name: pair }, 'preposition', report, 0.72, false)
    return
  }
  const behind = text[person.end] ?? ''
  if (
    /(?:\bi am|\bi['’]m|\bich bin|\bsoy|\bje suis)$/i.test(phrase[0]) &&
    (/[,.]/.test(behind) ||
      /^ (?:from (?:the|our|\p{Lu})|here\b|and I\b|with the\b|at \p{Lu})/u.test(text.slice(person.end, person.end + 16))) &&
    !person.name.includes(' ') &&
    person.name.length > 2 &&
    givenNameRank(person.name) >= 0 &&
    !isNeverName(person.name) &&
    !COUNTRIES.has(person.name.toLowerCase())
  ) {
    report('person', 'introduction', person.start, person.end, 0.55)
    return
  }
  if (/\bnamed$/i.test(phrase[0]) && !person.name.includes(' ') && givenNameRank(person.name) < 1) return
  const isClearPhrase = /name|llamo|chiamo|chamo|heiße|heisse|heet|appelle/i.test(phrase[0])
  reportPerson(person, 'introduction', report, isClearPhrase ? 0.9 : 0.72, isClearPhrase)
}

/** The name before `<jane@…>`; `at` is the opening bracket. */
export function nameBeforeMail(text: string, at: number, report: Report): void {
  if (!/^<[^<>\s@]{1,64}@[^<>\s]{3,100}>/.test(text.slice(at, at + 170))) return
  const match = WITH_MAIL.exec(text.slice(Math.max(0, at - 70), at + 1))
  if (match === null || /\[bot\]/.test(match[0])) return
  let name = match[1]!
  let start = at + 1 - match[0].length
  const label = /^(?:.*?(?:Author|Commit|Committer|By|From|To|Cc|Reviewer|Maintainer|by|author|from|Tagger|Signed-off-by)\b:?\s+)/u.exec(
    name,
  )
  if (label !== null) {
    start += label[0].length
    name = name.slice(label[0].length)
  }
  const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}, /i.exec(name)?.[0].length ?? 0
  start += weekday
  name = name.slice(weekday)
  const { sure, given } = nameLikeness(name.trim())
  if (sure > 0) report('person', 'name and mail', start, start + name.trimEnd().length, given ? 0.95 : 0.85)
}

const SIGNATURE = new RegExp(
  String.raw`^[ ]?(?:regards|wishes|Grüßen|Grüße|Gruß|saluti|saludos|cumprimentos|groeten|groet|atentamente|cordialement|à vous|yours|you)?,?[ ]*(?:\n\s{0,8}){1,3}(?:Dr\. |Prof\. )?(${NAME})[ ]*(?:\n|$|,|\s{2}|\|)`,
  'u',
)
/** "Best regards,\nJane Doe". */
export function signatureAt(text: string, end: number, report: Report): void {
  const match = SIGNATURE.exec(text.slice(end, end + 100))
  if (match === null) return
  const start = end + match[0].indexOf(match[1]!)
  reportPerson({ start, name: match[1]! }, 'signature', report, 0.85, true)
}

/** git blame, shortlog and `git config user.name`. */
const BLAME = new RegExp(String.raw`\((${NAME})\s+\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`, 'uy')
export function blameAt(text: string, at: number, report: Report): void {
  const match = matchAt(BLAME, text, at)
  if (match !== null && nameLikeness(match[1]!.trim()).sure > 0) report('person', 'git blame', at + 1, at + 1 + match[1]!.length, 0.92)
}

/** `@author Jane Doe`, `by Jane Doe on 2024-…`, `user.name "Jane Doe"`. */
export function creditedNameAt(text: string, end: number, report: Report): void {
  const match = /^["']?[ :=]{1,3}["']?/.exec(text.slice(end, end + 5))
  if (match === null) return
  const rest = leadingName(text.slice(end + match[0].length, end + match[0].length + 60))
  if (rest !== '') reportPerson({ start: end + match[0].length, name: rest }, 'credit', report, 0.88, false)
}
