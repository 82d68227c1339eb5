import { SECRET_TYPES, type Finding, type PiiType } from '#contracts/entities/privacy.ts'

/** A text with the values that must be found in it. A negative has none. */
export interface Example {
  text: string
  spans: { type: PiiType; start: number; end: number }[]
}

export interface Score {
  labelled: number
  found: number
  findings: number
  right: number
}

/** Groups of types that count as equal: secrets, parts of an address, parts of a link. */
const TYPE_GROUPS: readonly (readonly string[])[] = [
  ['password', 'api_key', 'auth_token', 'private_key', 'connection_string', 'secret', 'url'],
  ['address', 'zip_code', 'city', 'country'],
  ['url', 'hostname', 'ip_address'],
]
const isSameGroup = (a: string, b: string) => a === b || TYPE_GROUPS.some((kind) => kind.includes(a) && kind.includes(b))

/** Characters that a finding may include around a value: quotes, a bracket. */
const MAX_EXTRA_CHARS = 2

/**
 * `found` counts values that findings of their kind cover completely. `right` counts findings that cover values of their
 * kind and nothing else.
 */
export function measure(set: readonly Example[], scan: (text: string) => readonly Finding[], threshold = 0.5) {
  const byType = new Map<string, Score>()
  const missed: string[] = []
  const wrong: string[] = []
  const scoreOf = (type: string) => {
    const score = byType.get(type) ?? { labelled: 0, found: 0, findings: 0, right: 0 }
    byType.set(type, score)
    return score
  }
  let touched = 0
  for (const { text, spans } of set) {
    const findings = scan(text).filter(({ confidence }) => confidence >= threshold)
    if (findings.length > 0 && spans.length === 0) touched += 1
    for (const span of spans) {
      scoreOf(span.type).labelled += 1
      if (
        uncovered(
          span,
          findings.filter(({ type }) => isSameGroup(type, span.type)),
          text,
        ) <= 0
      )
        scoreOf(span.type).found += 1
      else missed.push(`${span.type}: ${text.slice(span.start, span.end)} | ${text}`)
    }
    for (const finding of findings) {
      scoreOf(finding.type).findings += 1
      const matches = spans.filter((span) => isSameGroup(span.type, finding.type) && span.start < finding.end && span.end > finding.start)
      if (matches.length > 0 && uncovered(finding, matches, text) <= MAX_EXTRA_CHARS) scoreOf(finding.type).right += 1
      else wrong.push(`${finding.type} (${finding.detector}): ${text.slice(finding.start, finding.end)} | ${text}`)
    }
  }
  return { byType, missed, wrong, touched }
}

const BETWEEN = /[\s,;]/

/** Number of characters of a span that are not covered, ignoring separators. */
function uncovered(span: { start: number; end: number }, covers: readonly { start: number; end: number }[], text: string): number {
  let count = 0
  for (let at = span.start; at < span.end; at += 1)
    if (!BETWEEN.test(text[at]!) && !covers.some(({ start, end }) => start <= at && at < end)) count += 1
  return count
}

type IsWanted = (type: string) => boolean
const SECRETS: ReadonlySet<string> = new Set(SECRET_TYPES)
export const isSecret: IsWanted = (type) => SECRETS.has(type)
export const isPersonal: IsWanted = (type) => !SECRETS.has(type)

/** The sum of the scores of the wanted types. */
export function sumOf(byType: ReadonlyMap<string, Score>, isWanted: IsWanted = () => true): Score {
  const total = { labelled: 0, found: 0, findings: 0, right: 0 }
  for (const [type, score] of byType)
    if (isWanted(type)) for (const key of ['labelled', 'found', 'findings', 'right'] as const) total[key] += score[key]
  return total
}

export function recall(byType: ReadonlyMap<string, Score>, isWanted: IsWanted): number {
  const { found, labelled } = sumOf(byType, isWanted)
  return found / labelled
}

export function precision(byType: ReadonlyMap<string, Score>): number {
  const { right, findings } = sumOf(byType)
  return right / findings
}
