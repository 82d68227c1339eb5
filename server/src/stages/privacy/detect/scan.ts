import { PII_TYPES } from '#contracts/entities/privacy.ts'
import { patternFault } from '#contracts/pattern.ts'
import { reportDates } from './dates.ts'
import { scanEncoded } from './encoded-texts.ts'
import { readPrompts } from './shell-prompts.ts'
import { withoutOverlaps } from './overlaps.ts'
import { sweep } from './sweep.ts'
import { labelsInOtherScripts } from './non-latin-labels.ts'
import { readTables } from './tables.ts'
import { type KnownNameIndex, indexKnownNames } from './known-names.ts'
import type { Finding, PiiType, Report, ScanOptions } from './types.ts'
import { viewOf } from './unescaped-view.ts'

const DEFAULT_TYPES = new Set<string>(PII_TYPES.filter((type) => type !== 'date'))
const DEPTH = 2

/** Prepared options. */
interface Rules {
  types: ReadonlySet<string>
  custom: { type: PiiType; name: string; form: RegExp; window: number }[]
  known: KnownNameIndex | null
}
const rulesByOptions = new WeakMap<ScanOptions, Rules>()

/** Cached by options object, so callers that scan many texts should reuse the object. */
function rulesOf(options: ScanOptions): Rules {
  let rules = rulesByOptions.get(options)
  if (rules) return rules
  rules = {
    types: options.types === undefined ? DEFAULT_TYPES : new Set<string>(options.types),
    custom: (options.customRules ?? [])
      .filter(({ pattern }) => isSafePattern(pattern))
      .map(({ type, name, pattern }) => ({ type, name, form: new RegExp(pattern, 'gu'), window: windowOf(pattern) })),
    known: indexKnownNames(options.names),
  }
  rulesByOptions.set(options, rules)
  return rules
}
const OPEN_REPEAT = /[+*]|\{\d*,(?:\d{2,})?\}/g
const windowOf = (pattern: string) => WINDOWS[pattern.match(OPEN_REPEAT)?.length ?? 0] ?? NARROWEST

/** Skips patterns that could take forever; settings report them when they are saved. */
const isSafePattern = (pattern: string) => pattern.length <= MAX_PATTERN && patternFault(pattern) === null
const MAX_PATTERN = 500

const NO_OPTIONS = {} satisfies ScanOptions

/**
 * Personal data and secrets in a text. Positions are UTF-16 units of the text; findings are sorted and do not overlap
 * (the longest wins, then the most confident). Never throws; time grows linearly with the text.
 */
export function scan(text: string, options: ScanOptions = NO_OPTIONS): Finding[] {
  if (text.length < 3) return []
  const rules = rulesOf(options)
  const findings: Finding[] = []
  scanLevel(text, rules, 0, (finding) => {
    if (rules.types.has(finding.type) && !options.allowed?.has(text.slice(finding.start, finding.end))) findings.push(finding)
  })
  return withoutOverlaps(findings)
}

/**
 * A custom rule runs line by line, and longer lines are split into windows that overlap by a quarter. A pattern with
 * several open repetitions may take quadratic or cubic time in the size of its window, but not in the size of the text.
 */
const WINDOWS = [4096, 1024, 256, 128]
const NARROWEST = 64
function runCustomRule({ type, name, form, window }: Rules['custom'][number], text: string, report: Report): void {
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

function scanLevel(text: string, rules: Rules, depth: number, add: (finding: Finding) => void): void {
  const view = viewOf(text)
  const report: Report = (type, detector, start, end, confidence, validated = false) => {
    if (end > start) add({ type, detector, start: view.start(start), end: view.end(end), confidence, validated })
  }
  sweep(view.text, report, rules.known)
  readTables(view.text, report)
  readPrompts(view.text, report)
  labelsInOtherScripts(view.text, report)
  if (rules.types.has('date')) reportDates(view.text, report)
  for (const rule of rules.custom) runCustomRule(rule, view.text, report)
  if (depth >= DEPTH) return
  scanEncoded(view.text, (inner, placeOf) => {
    scanLevel(inner, rules, depth + 1, (finding) => {
      const place = placeOf(finding)
      report(finding.type, finding.detector, place.start, place.end, finding.confidence, finding.validated)
    })
  })
}
