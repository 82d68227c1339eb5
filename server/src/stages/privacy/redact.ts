import { randomBytes } from 'node:crypto'
import { type Finding, PrivacyPolicy, type ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { detect, inTime } from './detector.ts'
import { applyFindings, type Decide, createReplacer, isLabel, redactLink, UNSCANNED } from './replace/index.ts'

/**
 * Applies the default policy to a text. Secrets become labels, and `strategy` replaces everything else. Pseudonyms and
 * made-up values differ for each call, because the key is discarded.
 */
export function redactText(text: string, strategy: ReplaceStrategy): { text: string; findings: Finding[] } {
  const policy = PrivacyPolicy.parse({ defaultStrategy: strategy })
  const scan = (source: string) =>
    detect(source, { types: policy.types }).filter(
      ({ start, end, confidence }) => confidence >= policy.confidenceThreshold && !isLabel(source.slice(start, end)),
    )
  const findings = inTime(() => scan(text))
  if (findings === null) return { text: UNSCANNED, findings: [] }
  const replace = createReplacer(randomBytes(32), policy)
  const decide: Decide = ({ type }, value) =>
    (type === 'connection_string' ? redactLink(value, { scan: scan, label: replace, decide }) : null) ?? replace(type, value)
  return { text: applyFindings(text, findings, decide, scan).text, findings }
}
