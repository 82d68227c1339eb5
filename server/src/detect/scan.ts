import { PII_TYPES } from '#contracts/entities/privacy.ts'
import { patternFault } from '#contracts/pattern.ts'
import { reportDates } from './people/dates.ts'
import { scanEncoded } from './secrets/encoded-texts.ts'
import { reportKeyRemains } from './secrets/key-remains.ts'
import { prefixedLines, withoutLineNumbers } from './line-prefixes.ts'
import { readPrompts } from './machines/shell-prompts.ts'
import { withoutOverlaps } from './overlaps.ts'
import { sweep } from './sweep.ts'
import { labelsInOtherScripts } from './labels/non-latin-labels.ts'
import { readTables } from './labels/tables.ts'
import { type KnownNameIndex, indexKnownNames } from './people/known-names.ts'
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

type Add = (finding: Finding) => void
/** Positions of a text that was made from another one. */
interface Places {
  start(at: number): number
  end(at: number): number
}
const through =
  (places: Places, add: Add): Add =>
  (finding) =>
    add({ ...finding, start: places.start(finding.start), end: places.end(finding.end) })

function scanLevel(text: string, rules: Rules, depth: number, add: Add): void {
  // resolving escapes joins lines that end in a backslash, so prefixes are removed first
  if (text.includes('\\\n')) {
    const counted = withoutLineNumbers(text)
    if (counted !== null) {
      scanView(counted.text, rules, depth, through(counted, add))
      return
    }
    scanContinued(text, rules, depth, PREFIXES, add)
  }
  scanView(text, rules, depth, add)
}

/** Lines with a common prefix whose ends may be escaped. */
function scanContinued(text: string, rules: Rules, depth: number, prefixes: number, add: Add): void {
  const lines = prefixes > 0 ? prefixedLines(text) : null
  if (lines === null) return
  scanView(lines.text, rules, depth, through(lines, add))
  scanContinued(lines.text, rules, depth, prefixes - 1, through(lines, add))
}

function scanView(text: string, rules: Rules, depth: number, add: Add): void {
  const view = viewOf(text)
  const inView = through(view, add)
  const counted = withoutLineNumbers(view.text)
  if (counted === null) scanLines(view.text, rules, depth, PREFIXES, inView)
  else scanLines(counted.text, rules, depth, PREFIXES, through(counted, inView))
}

/** How many prefixes a line may have, such as the name of a container and a time. */
const PREFIXES = 2
/** Scans a text, and the lines that have a common prefix without it. */
function scanLines(text: string, rules: Rules, depth: number, prefixes: number, add: Add): void {
  scanText(text, rules, depth, add)
  const lines = prefixes > 0 ? prefixedLines(text) : null
  if (lines !== null) scanLines(lines.text, rules, depth, prefixes - 1, through(lines, add))
}

function scanText(text: string, rules: Rules, depth: number, add: Add): void {
  const report: Report = (type, detector, start, end, confidence, validated = false) => {
    if (end > start) add({ type, detector, start, end, confidence, validated })
  }
  sweep(text, report, rules.known)
  readTables(text, report)
  readPrompts(text, report)
  labelsInOtherScripts(text, report)
  reportKeyRemains(text, report)
  if (rules.types.has('date')) reportDates(text, report)
  for (const rule of rules.custom) runCustomRule(rule, text, report)
  if (depth >= DEPTH) return
  scanEncoded(text, (inner, placeOf) => {
    scanLevel(inner, rules, depth + 1, (finding) => add({ ...finding, ...placeOf(finding) }))
  })
}
