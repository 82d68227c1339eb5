import { ABOUT_ATTACKS, FAMILIES, STRONG, TEST_LINE } from './families.ts'
import { plainOf } from './plain.ts'

/** Part of a text, in UTF-16 units, end exclusive. */
export interface TextSpan {
  start: number
  end: number
  family: string
}

export interface Injection {
  /** From 0 to 1: how much of the wording speaks to the model. */
  score: number
  /** The family that weighs most. */
  family: string
  spans: TextSpan[]
}

interface Found extends TextSpan {
  weight: number
}

/** From this score on. */
export const THRESHOLD = 0.55
const HIDDEN = 'hidden-characters'
const ENCODED = 'encoded'
export const OTHER_FAMILIES = [
  { id: HIDDEN, does: 'has characters that no screen shows' },
  { id: ENCODED, does: 'hides such words in base64' },
]
/** Findings count together if they begin within so many characters. */
const NEAR = 1500
const MOST_FOUND = 2000
const MOST_SPANS = 20

/** Wording in a text that speaks to the model which reads it; null if there is too little. Takes time linear in the length. */
export function injectionIn(source: string, isDecoded = false): Injection | null {
  const plain = plainOf(source)
  const found: Found[] = plain.hidden.map((part) => ({ ...part, family: HIDDEN, weight: STRONG }))
  for (const { id: family, weight, patterns } of FAMILIES) {
    for (const pattern of patterns) {
      for (const { 0: match, index } of plain.text.matchAll(pattern)) {
        found.push({ start: index, end: index + match.length, family, weight: weight * damping(plain.text, index) })
        if (found.length > MOST_FOUND) break
      }
    }
  }
  if (!isDecoded) found.push(...encodedIn(plain.text))
  const best = heaviest(found.toSorted((a, b) => a.start - b.start))
  if (best === null) return null
  const { score, members } = best
  return {
    score,
    family: members.toSorted((a, b) => b.weight - a.weight)[0]!.family,
    spans: members.slice(0, MOST_SPANS).map(({ start, end, family }) => ({ start: plain.at(start), end: plain.at(end - 1) + 1, family })),
  }
}

/** The group of findings near each other that weighs most, if it is enough: two families, or one strong finding. */
function heaviest(found: readonly Found[]): { score: number; members: Found[] } | null {
  let best: { score: number; from: number; to: number } | null = null
  let to = 0
  for (let from = 0; from < found.length; from = Math.max(from + 1, to - 8)) {
    to = Math.max(to, from)
    while (to < found.length && found[to]!.start < found[from]!.start + NEAR) to += 1
    const weights = new Map<string, number>()
    for (const { family, weight } of found.slice(from, to)) weights.set(family, Math.max(weights.get(family) ?? 0, weight))
    const rest = [...weights.values()].reduce((product, weight) => product * (1 - weight), 1)
    const score = Math.round((1 - rest) * 100) / 100
    const isEnough = weights.size > 1 || [...weights.values()].some((weight) => weight >= STRONG)
    if (isEnough && score >= THRESHOLD && score > (best?.score ?? 0)) best = { score, from, to }
  }
  return best && { score: best.score, members: found.slice(best.from, best.to) }
}

const AROUND = 160

/** Less for words that are quoted, tested or written about. */
function damping(text: string, index: number): number {
  const before = text.slice(Math.max(0, index - AROUND), index)
  const after = text.slice(index, index + AROUND)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  let factor = 1
  if (isQuoted(line, after)) factor *= 0.4
  if (TEST_LINE.test(line)) factor *= 0.5
  if (/^\s*[A-Z_]{3,40}\s*=/.test(line)) factor *= 0.5
  if (ABOUT_ATTACKS.test(before) || ABOUT_ATTACKS.test(after)) factor *= 0.4
  return factor
}

/** Whether a quote or backtick is open, and closed later on the line. A value of JSON is no quotation. */
function isQuoted(line: string, after: string): boolean {
  const rest = /^[^\n]*/.exec(after)![0]
  for (const quote of ['"', '`', '“', "'"]) {
    const pieces = line.split(quote)
    const close = quote === '“' ? '”' : quote
    const isOpen = quote === '“' ? line.lastIndexOf('“') > line.lastIndexOf('”') : pieces.length % 2 === 0
    if (!isOpen || !rest.includes(close)) continue
    const opened = line.slice(0, line.lastIndexOf(quote))
    if (quote === "'" && /\w$/.test(opened)) continue
    if (quote === '"' && /"\s*:\s*$/.test(opened)) continue
    return true
  }
  return false
}

const MOST_DECODED = 50
const LONGEST_DECODED = 8_000

/** Runs of base64 whose plain text is an injection. */
function encodedIn(text: string): Found[] {
  const found: Found[] = []
  let decoded = 0
  for (const { 0: run, index } of text.matchAll(/(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40,}={0,2}/g)) {
    if (decoded >= MOST_DECODED) break
    const start = Buffer.from(run.slice(0, 40), 'base64')
      .toString('utf8')
      .replaceAll(/[\t\n\r]/g, ' ')
    if (/\p{Cc}|\ufffd./u.test(start) || !start.includes(' ')) continue // bytes, not text; its end may be half a character
    decoded += 1
    const inner = injectionIn(Buffer.from(run.slice(0, LONGEST_DECODED), 'base64').toString('utf8'), true)
    if (inner) found.push({ start: index, end: index + run.length, family: ENCODED, weight: Math.max(STRONG, inner.score) })
  }
  return found
}
