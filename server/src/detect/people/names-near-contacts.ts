import { isNeverName, isOrdinaryWord, nameLikeness } from './names.ts'
import type { Report } from '../types.ts'

/** Names on the same line as a mail address, a phone number or an account. */

const AROUND = 80
const WORD = String.raw`\p{Lu}[\p{L}\p{M}'’-]+`
const PARTICLES = String.raw`(?:(?:de|da|do|dos|das|del|della|di|du|la|le|van|der|den|von|zu|bin|al|el|ter) ){0,3}`
const NAME = String.raw`(?:${WORD} ${PARTICLES}){1,3}${WORD}`
const ANYWHERE = new RegExp(String.raw`(?<![\p{L}\p{N}.@/_-])${NAME}(?![\p{L}\p{N}@/_(])`, 'gu')
const ADJACENT = new RegExp(
  String.raw`(?<![\p{L}\p{N}.@/_-])(${NAME})(?:["']?\s?[,;|\t(:–—-]{1,2}\s?["'(]?| (?:at|on|via|unter|à|an|bei|under|is|=) | )$`,
  'u',
)

/** Reports a name right before an account or phone number at `start`. */
export function nameBefore(text: string, start: number, report: Report): void {
  const line = lineBefore(text, start)
  const match = ADJACENT.exec(line)
  if (match === null) return
  const offset = start - line.length + match.index
  for (const [name, at] of suffixesOf(match[1]!)) {
    const { sure, given, words } = nameLikeness(name)
    if (sure === 0 || words < 2 || !(given || isCell(text, offset + at, start, name))) continue
    report('person', 'beside', offset + at, offset + at + name.length, 0.8)
    return
  }
}

/** Whether a name is a table cell of words that are in no dictionary. */
const isCell = (text: string, from: number, start: number, name: string) =>
  /(?:^|[\n,;|\t])["']?$/.test(text.slice(Math.max(0, from - 2), from)) &&
  /^["']?[,;|\t]/.test(text.slice(from + name.length, start)) &&
  name.split(' ').every((word) => word.length > 2 && !isOrdinaryWord(word.toLowerCase()))

/** Reports names on the line of a mail address whose local part repeats them: "Elena Marchetti … e.marchetti@". */
export function namesNear(text: string, start: number, at: number, end: number, report: Report): void {
  nameBefore(text, start, report)
  const local = text.slice(start, at).toLowerCase()
  const before = lineBefore(text, start)
  reportEchoedNames(before, start - before.length, local, report)
  const after = text.slice(end, end + AROUND).split('\n', 1)[0]!
  reportEchoedNames(after, end, local, report)
}

function reportEchoedNames(line: string, offset: number, local: string, report: Report): void {
  for (const match of line.matchAll(ANYWHERE)) {
    for (const [name, at] of suffixesOf(match[0])) {
      const { sure, words } = nameLikeness(name)
      if (sure === 0 || words < 2 || isNeverName(name.split(' ')[0]!) || !isEchoed(name, local)) continue
      const start = offset + match.index + at
      report('person', 'as in the address', start, start + name.length, 0.93)
      break
    }
  }
}

function lineBefore(text: string, start: number): string {
  const from = Math.max(0, start - AROUND)
  const slice = text.slice(from, start)
  return slice.slice(slice.lastIndexOf('\n') + 1)
}

/** The words, then the words without the first one and so on: `Contact Jane Doe`, `Jane Doe`. */
function* suffixesOf(words: string): Generator<[string, number]> {
  let at = 0
  while (words.includes(' ', at)) {
    yield [words.slice(at), at]
    at = words.indexOf(' ', at) + 1
  }
}

const FOLDED = /[\u0300-\u036F]/g
/** Whether the local part contains a word of the name, ignoring accents. */
function isEchoed(name: string, local: string): boolean {
  return name
    .normalize('NFD')
    .replaceAll(FOLDED, '')
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => word.length >= 4 && local.includes(word))
}
