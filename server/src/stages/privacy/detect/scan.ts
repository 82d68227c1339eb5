import { PII_TYPES } from '#contracts/entities/privacy.ts'
import { patternFault } from '#contracts/pattern.ts'
import { datesIn } from './dates.ts'
import { nested } from './encoded-texts.ts'
import { prompts } from './shell-prompts.ts'
import { resolve } from './overlaps.ts'
import { sweep } from './sweep.ts'
import { otherScripts } from './non-latin-labels.ts'
import { tables } from './tables.ts'
import { type Known, knownNames } from './own-names.ts'
import type { Finding, PiiType, Report, ScanOptions } from './types.ts'
import { viewOf } from './unescaped-view.ts'

const DEFAULT_TYPES = new Set<string>(PII_TYPES.filter((type) => type !== 'date'))
const DEPTH = 2

/** Prepared options. */
interface Rules {
  types: ReadonlySet<string>
  own: { type: PiiType; name: string; form: RegExp; window: number }[]
  known: Known | null
}
const prepared = new WeakMap<ScanOptions, Rules>()

/** Cached by options object, so callers that scan many texts should reuse one. */
function rulesOf(options: ScanOptions): Rules {
  let rules = prepared.get(options)
  if (rules) return rules
  rules = {
    types: options.types === undefined ? DEFAULT_TYPES : new Set<string>(options.types),
    own: (options.customRules ?? [])
      .filter(({ pattern }) => isTakable(pattern))
      .map(({ type, name, pattern }) => ({ type, name, form: new RegExp(pattern, 'gu'), window: windowOf(pattern) })),
    known: knownNames(options.names),
  }
  prepared.set(options, rules)
  return rules
}
const OPEN_REPEAT = /[+*]|\{\d*,(?:\d{2,})?\}/g
const windowOf = (pattern: string) => WINDOWS[pattern.match(OPEN_REPEAT)?.length ?? 0] ?? NARROWEST

/** Skips patterns that could take forever; settings report them when they are saved. */
const isTakable = (pattern: string) => pattern.length <= MAX_PATTERN && patternFault(pattern) === null
const MAX_PATTERN = 500

const NO_OPTIONS = {} satisfies ScanOptions

/**
 * Personal data and secrets in a text. Positions are UTF-16 units of the text; findings are sorted and do not overlap
 * (the longest wins, then the most confident). Never throws; time grows linearly with the text.
 */
export function scan(text: string, options: ScanOptions = NO_OPTIONS): Finding[] {
  if (text.length < 3) return []
  const rules = rulesOf(options)
  const found: Finding[] = []
  look(text, rules, 0, (finding) => {
    if (rules.types.has(finding.type) && !options.allowed?.has(text.slice(finding.start, finding.end))) found.push(finding)
  })
  return resolve(found)
}

/**
 * A custom rule runs line by line, and on lines longer than its window in windows that overlap by a quarter: a pattern
 * with several open repetitions may take quadratic or cubic time in its window, but never in the text.
 */
const WINDOWS = [4096, 1024, 256, 128]
const NARROWEST = 64
function ownRule({ type, name, form, window }: Rules['own'][number], text: string, report: Report): void {
  let from = 0
  while (from < text.length) {
    const newline = text.indexOf('\n', from)
    const lineEnd = newline < 0 ? text.length : newline
    const end = Math.min(lineEnd, from + window)
    if (end > from)
      for (const match of text.slice(from, end).matchAll(form))
        report(type, name, from + match.index, from + match.index + match[0].length, 0.9)
    from = end === lineEnd ? lineEnd + 1 : end - window / 4
  }
}

function look(text: string, rules: Rules, depth: number, add: (finding: Finding) => void): void {
  const view = viewOf(text)
  const report: Report = (type, detector, start, end, confidence, validated = false) => {
    if (end > start) add({ type, detector, start: view.start(start), end: view.end(end), confidence, validated })
  }
  sweep(view.text, report, rules.known)
  tables(view.text, report)
  prompts(view.text, report)
  otherScripts(view.text, report)
  if (rules.types.has('date')) datesIn(view.text, report)
  for (const rule of rules.own) ownRule(rule, view.text, report)
  if (depth >= DEPTH) return
  nested(view.text, (inner, placeOf) => {
    look(inner, rules, depth + 1, (finding) => {
      const place = placeOf(finding)
      report(finding.type, finding.detector, place.start, place.end, finding.confidence, finding.validated)
    })
  })
}
