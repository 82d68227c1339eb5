import { randomBytes } from 'node:crypto'
import { type Finding, PrivacyPolicy, type ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { detect, inTime } from './detector.ts'
import { applyFindings, type Decide, createReplacer, isLabel, redactLink, UNSCANNED } from './replace/index.ts'

/**
 * Applies the policy to a text, with one strategy for everything but secrets, which become labels. Findings below
 * the threshold of the policy stay unchanged. Pseudonyms and made-up values are random for each call: the key is discarded.
 */
export function redactText(text: string, strategy: ReplaceStrategy): { text: string; findings: Finding[] } {
  const policy = PrivacyPolicy.parse({ defaultStrategy: strategy })
  const find = (within: string) =>
    detect(within, { types: policy.types }).filter(
      ({ start, end, confidence }) => confidence >= policy.confidenceThreshold && !isLabel(within.slice(start, end)),
    )
  const findings = inTime(() => find(text))
  if (findings === null) return { text: UNSCANNED, findings: [] }
  const replace = createReplacer(randomBytes(32), policy)
  const decide: Decide = ({ type }, value) =>
    (type === 'connection_string' ? redactLink(value, { scan: find, label: replace, decide }) : null) ?? replace(type, value)
  return { text: applyFindings(text, findings, decide, find).text, findings }
}
