import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Finding, PiiType } from '#contracts/entities/privacy.ts'
import { valueOf, NEUTRAL, SLOT_TYPES } from './made-values.ts'

/** The labelled set: contexts by hand, values by a seeded generator, so that checksums hold and nobody's data is in it. */
export interface Labelled {
  text: string
  /** What is to be found; empty for a negative. */
  spans: { type: PiiType; start: number; end: number }[]
  /** The type under which the context stands, null for negatives. */
  about: PiiType | null
  /** Not looked at while the detectors were tuned. */
  heldOut: boolean
}

const VALUES_PER_NEGATIVE = 3
const SLOT = /\{([a-z_]+[0-9]*)(?::([a-z0-9]+))?\}/g

export function labelledSet(): Labelled[] {
  return [...read('positives.txt'), ...read('negatives.txt')]
}

function read(file: string): Labelled[] {
  const all: Labelled[] = []
  let about: PiiType | null = null
  const lines = fs.readFileSync(path.join(import.meta.dirname, '../../../../../../labelled/privacy/first', file), 'utf8').split('\n')
  let number = 0
  for (const line of lines) {
    if (line === '' || line.startsWith('#') || line === ' ') continue
    if (line.startsWith('== ')) {
      about = line.slice(3) as PiiType // the headings of the file are types
      number = 0
      continue
    }
    number += 1
    const heldOut = [0, 3, 7].includes(number % 10)
    // contexts of a type with few of them are filled more often, so that every type has 25 positives
    const times = about === null ? VALUES_PER_NEGATIVE : 3
    for (let time = 0; time < times; time += 1)
      all.push({ ...asWhole(about, fill(line, `${file}:${about ?? ''}:${number}:${time}`, about !== null)), about, heldOut })
  }
  return all
}

/** A URL is to be found as a whole. */
function asWhole(about: PiiType | null, filled: Pick<Labelled, 'text' | 'spans'>): Pick<Labelled, 'text' | 'spans'> {
  const url = about === 'url' ? /\w+:\/\/\S+/.exec(filled.text) : null
  return url === null ? filled : { text: filled.text, spans: [{ type: 'url', start: url.index, end: url.index + url[0].length }] }
}

function fill(line: string, seed: string, isPositive: boolean): Pick<Labelled, 'text' | 'spans'> {
  const template = line.replaceAll(/\\([nte\\])/g, (_, char: string) => ({ n: '\n', t: '\t', e: '\u001B', '\\': '\\' })[char]!)
  const spans: Labelled['spans'] = []
  let text = ''
  let at = 0
  let slot = 0
  const known = new Map<string, string>()
  for (const match of template.matchAll(SLOT)) {
    const [whole, name, form] = match as unknown as [string, string, string | undefined]
    const type = SLOT_TYPES[name] ?? (isPositive && (name === 'hex' || name === 'base64') ? 'secret' : undefined)
    if (type === undefined && !NEUTRAL.has(name)) continue
    text += template.slice(at, match.index)
    const hash = createHash('sha256').update(`${seed}:${slot}`).digest()
    slot += 1
    const value = name === 'username' ? (known.get(name) ?? valueOf(name, form, hash)) : valueOf(name, form, hash)
    known.set(name, value)
    if (type !== undefined) spans.push({ type, start: text.length, end: text.length + value.length })
    text += value
    at = match.index + whole.length
  }
  return { text: text + template.slice(at), spans }
}

export interface Score {
  positives: number
  found: number
  /** Findings of the type. */
  findings: number
  /** Of them, those that lie on a span of any type. */
  right: number
}

export interface Measured {
  byType: Map<string, Score>
  missed: { type: string; text: string; value: string }[]
  wrong: { type: string; text: string; value: string }[]
  negatives: number
  negativesTouched: number
}

const SECRETS = new Set(['password', 'api_key', 'auth_token', 'private_key', 'connection_string', 'secret', 'url'])
/** A key found as a secret, or a password as part of a connection string, is found: what opens something is covered. */
const alike = (a: string, b: string) => a === b || (SECRETS.has(a) && SECRETS.has(b))

/** Recall: the whole value is covered by findings of its type. Precision: a finding lies on a labelled span of its type. */
export function measure(set: readonly Labelled[], scan: (text: string) => readonly Finding[], threshold = 0.5): Measured {
  const result: Measured = { byType: new Map(), missed: [], wrong: [], negatives: 0, negativesTouched: 0 }
  const of = (type: string) => {
    const known = result.byType.get(type) ?? { positives: 0, found: 0, findings: 0, right: 0 }
    result.byType.set(type, known)
    return known
  }
  for (const { text, spans } of set) {
    const findings = scan(text).filter(({ confidence }) => confidence >= threshold)
    for (const span of spans) {
      const score = of(span.type)
      score.positives += 1
      const core = text.slice(span.start, span.end).trim().length
      const covered = findings.some(
        (finding) => alike(finding.type, span.type) && finding.start <= span.start + 1 && finding.end >= span.start + core - 1,
      )
      if (covered) score.found += 1
      else result.missed.push({ type: span.type, text, value: text.slice(span.start, span.end) })
    }
    for (const finding of findings) {
      const score = of(finding.type)
      score.findings += 1
      if (
        spans.some(
          (span) =>
            finding.start < span.end &&
            finding.end > span.start &&
            (alike(finding.type, span.type) || finding.end - finding.start > span.end - span.start),
        )
      )
        score.right += 1
      else result.wrong.push({ type: finding.type, text, value: text.slice(finding.start, finding.end) })
    }
    if (spans.length === 0) {
      result.negatives += 1
      if (findings.length > 0) result.negativesTouched += 1
    }
  }
  return result
}
