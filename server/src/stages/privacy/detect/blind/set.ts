import fs from 'node:fs'
import path from 'node:path'
import type { Finding, PiiType } from '#contracts/entities/privacy.ts'

/**
 * The second labelled set: written from transcripts by somebody who had not read the rules. Values stand in ⟪type|value⟫;
 * ¦ inside them keeps scanners of repositories quiet, ␛ is an escape, ␉ a tab, ␤ an empty line. Examples are parted by
 * empty lines; every line of the negatives is one.
 */
export interface Example {
  text: string
  spans: { type: PiiType; start: number; end: number }[]
}

const MARK = /⟪([a-z_]+)\|([^⟫]*)⟫/g
const plain = (text: string) => text.replaceAll('¦', '').replaceAll('␛', '\u001B').replaceAll('␉', '\t').replaceAll('␤', '')
const read = (file: string) => fs.readFileSync(path.join(import.meta.dirname, '../../../../../../labelled/privacy/blind', file), 'utf8')

export function positives(file = 'positives.txt'): Example[] {
  return read(file)
    .split(/\n\n+/)
    .filter((part) => part.trim() !== '' && !part.startsWith('// '))
    .map(asExample)
}

function asExample(marked: string): Example {
  const spans: Example['spans'] = []
  let text = ''
  let at = 0
  for (const match of marked.matchAll(MARK)) {
    const [whole, type, value] = match as unknown as [string, PiiType, string]
    text += plain(marked.slice(at, match.index))
    const start = text.length
    text += plain(value)
    spans.push({ type, start, end: text.length })
    at = match.index + whole.length
  }
  return { text: text + plain(marked.slice(at)), spans }
}

export const negatives = (file = 'negatives.txt'): string[] => read(file).split('\n').map(plain).filter(Boolean)

export interface BlindScore {
  labelled: number
  found: number
  findings: number
  right: number
}

/** What opens something is covered whatever it is called; a city inside an address found as a whole is covered too. */
const KINDS: readonly (readonly string[])[] = [
  ['password', 'api_key', 'auth_token', 'private_key', 'connection_string', 'secret', 'url'],
  ['address', 'zip_code', 'city', 'country'],
  ['url', 'hostname', 'ip_address'],
]
export const alike = (a: string, b: string) => a === b || KINDS.some((kind) => kind.includes(a) && kind.includes(b))

/** Characters that a finding may hold beside a label: quotes, a bracket. */
const SLACK = 2

/**
 * Found: the whole value lies under findings of its kind, one or several. Right: the finding lies on labels of its kind and
 * covers nothing beside them.
 */
export function measureBlind(set: readonly Example[], scan: (text: string) => readonly Finding[], threshold = 0.5) {
  const byType = new Map<string, BlindScore>()
  const missed: string[] = []
  const wrong: string[] = []
  const of = (type: string) => {
    const score = byType.get(type) ?? { labelled: 0, found: 0, findings: 0, right: 0 }
    byType.set(type, score)
    return score
  }
  let touched = 0
  for (const { text, spans } of set) {
    const findings = scan(text).filter(({ confidence }) => confidence >= threshold)
    if (findings.length > 0 && spans.length === 0) touched += 1
    for (const span of spans) {
      of(span.type).labelled += 1
      if (
        uncovered(
          span,
          findings.filter(({ type }) => alike(type, span.type)),
          text,
        ) <= 0
      )
        of(span.type).found += 1
      else missed.push(`${span.type}: ${text.slice(span.start, span.end)} | ${text}`)
    }
    for (const finding of findings) {
      of(finding.type).findings += 1
      const own = spans.filter((span) => alike(span.type, finding.type) && span.start < finding.end && span.end > finding.start)
      if (own.length > 0 && uncovered(finding, own, text) <= SLACK) of(finding.type).right += 1
      else wrong.push(`${finding.type} (${finding.detector}): ${text.slice(finding.start, finding.end)} | ${text}`)
    }
  }
  return { byType, missed, wrong, touched }
}

const BETWEEN = /[\s,;]/

/** Characters of a span that no cover holds; what parts two values does not count. */
function uncovered(span: { start: number; end: number }, covers: readonly { start: number; end: number }[], text: string): number {
  let count = 0
  for (let at = span.start; at < span.end; at += 1)
    if (!BETWEEN.test(text[at]!) && !covers.some(({ start, end }) => start <= at && at < end)) count += 1
  return count
}
