import { PII_TYPES } from '#contracts/entities/privacy.ts'
import { checkField } from './values.ts'
import { nested } from './nested.ts'
import { resolve } from './overlaps.ts'
import { sweep } from './sweep.ts'
import { tables } from './tables.ts'
import type { Finding, Report, ScanOptions } from './types.ts'
import { viewOf } from './view.ts'

const USUAL = new Set<string>(PII_TYPES.filter((type) => type !== 'date'))
const DEPTH = 2

/**
 * Personal data and secrets in a text. Places are UTF-16 units of the text itself; findings are sorted and do not overlap
 * (the longest wins, then the most confident). Never throws; time grows linearly with the text.
 */
export function scan(text: string, options: ScanOptions = {}): Finding[] {
  if (text.length < 3) return []
  const types = options.types === undefined ? USUAL : new Set<string>(options.types)
  const found: Finding[] = []
  look(text, options, 0, (finding) => {
    if (types.has(finding.type) && !options.allowed?.has(text.slice(finding.start, finding.end))) found.push(finding)
  })
  return resolve(found)
}

function look(text: string, options: ScanOptions, depth: number, add: (finding: Finding) => void): void {
  const view = viewOf(text)
  const report: Report = (type, detector, start, end, confidence, validated = false) => {
    if (end > start) add({ type, detector, start: view.start(start), end: view.end(end), confidence, validated })
  }
  sweep(view.text, report, options.names)
  tables(view.text, (field) => checkField(field, report, view.text), report)
  for (const rule of options.customRules ?? []) {
    for (const match of view.text.matchAll(new RegExp(rule.pattern, 'gu')))
      report(rule.type, rule.name, match.index, match.index + match[0].length, 0.9)
  }
  if (depth >= DEPTH) return
  nested(view.text, (inner, placeOf) => {
    look(inner, options, depth + 1, (finding) => {
      const place = placeOf(finding)
      report(finding.type, finding.detector, place.start, place.end, finding.confidence, finding.validated)
    })
  })
}
