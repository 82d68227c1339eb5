import { PII_TYPES } from '#contracts/entities/privacy.ts'
import { checkField } from './values.ts'
import { nested } from './nested.ts'
import { resolve } from './overlaps.ts'
import { sweep } from './sweep.ts'
import { tables } from './tables.ts'
import { type Known, knownNames } from './known.ts'
import type { Finding, PiiType, Report, ScanOptions } from './types.ts'
import { viewOf } from './view.ts'

const USUAL = new Set<string>(PII_TYPES.filter((type) => type !== 'date'))
const DEPTH = 2

/** Options, ready for use. */
interface Rules {
  types: ReadonlySet<string>
  own: { type: PiiType; name: string; form: RegExp }[]
  known: Known | null
}
const prepared = new WeakMap<ScanOptions, Rules>()

/** Made once for each object of options: whoever scans many texts keeps one. */
function rulesOf(options: ScanOptions): Rules {
  let rules = prepared.get(options)
  if (rules) return rules
  rules = {
    types: options.types === undefined ? USUAL : new Set<string>(options.types),
    own: (options.customRules ?? []).map(({ type, name, pattern }) => ({ type, name, form: new RegExp(pattern, 'gu') })),
    known: knownNames(options.names),
  }
  prepared.set(options, rules)
  return rules
}
const NO_OPTIONS: ScanOptions = {}

/**
 * Personal data and secrets in a text. Places are UTF-16 units of the text itself; findings are sorted and do not overlap
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

function look(text: string, rules: Rules, depth: number, add: (finding: Finding) => void): void {
  const view = viewOf(text)
  const report: Report = (type, detector, start, end, confidence, validated = false) => {
    if (end > start) add({ type, detector, start: view.start(start), end: view.end(end), confidence, validated })
  }
  sweep(view.text, report, rules.known)
  tables(view.text, (field) => checkField(field, report, view.text), report)
  for (const { type, name, form } of rules.own)
    for (const match of view.text.matchAll(form)) report(type, name, match.index, match.index + match[0].length, 0.9)
  if (depth >= DEPTH) return
  nested(view.text, (inner, placeOf) => {
    look(inner, rules, depth + 1, (finding) => {
      const place = placeOf(finding)
      report(finding.type, finding.detector, place.start, place.end, finding.confidence, finding.validated)
    })
  })
}
