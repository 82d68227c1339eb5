import type { GuardCheck, GuardType, TextDirection } from '#contracts/entities/guardrail.ts'
import type { GuardrailSettings, GuardTopic, OwnGuardRule } from '#contracts/settings/guardrails.ts'
import { TimeLimitError, withTimeLimit } from '#server/workers/time-limit.ts'
import { ownId } from '../own.ts'
import { FAMILIES } from './families.ts'
import { injectionIn, OTHER_FAMILIES } from './injection.ts'

export interface TextInput {
  text: string
  direction: TextDirection
  settings: Pick<GuardrailSettings, 'injectionDetection' | 'blockedTopics' | 'allowedTopics'>
  /** The user's rules for texts that count. */
  rules: readonly OwnGuardRule[]
}

/** What one detector says. */
export type TextFinding = Pick<GuardCheck, 'rule' | 'type' | 'spans' | 'score' | 'reason'> & { verdict: 'warn' | 'block' }

export interface TextResult {
  findings: TextFinding[]
  checked: GuardType[]
}

const OWN_MS = 2_000
const MOST_SPANS = 20
const DOES = new Map([...FAMILIES, ...OTHER_FAMILIES].map(({ id, does }) => [id, does]))

export const injectionRule = (family: string): string => `injection-${family}`

/** Of what a service of the user says. */
export const MODERATION_RULE = 'moderation-service'

/** The rules for texts that are built in. */
export const TEXT_RULES = [
  ...[...DOES].map(([id, does]) => ({
    id: injectionRule(id),
    type: 'injection' as const,
    reason: `This text ${does}.`,
    verdict: 'warn' as const,
  })),
  { id: 'topic-blocked', type: 'topic' as const, reason: 'This text is about a topic that you blocked.', verdict: 'block' as const },
  { id: 'topic-other', type: 'topic' as const, reason: 'This text is about none of the topics that you allow.', verdict: 'warn' as const },
  { id: 'personal-data', type: 'pii' as const, reason: 'This text has secrets or personal data.', verdict: 'warn' as const },
  { id: MODERATION_RULE, type: 'moderation' as const, reason: 'Your NeMo Guardrails service blocked this text.', verdict: 'block' as const }, // prettier-ignore
]

/** Checks a text against everything but personal data, which the privacy stage looks for. */
export function checkText({ text, direction, settings, rules }: TextInput): TextResult {
  const findings: TextFinding[] = []
  const checked: GuardType[] = []
  if (direction === 'tool_result') {
    if (settings.injectionDetection) {
      checked.push('injection')
      const found = injectionIn(text)
      if (found) {
        const families = [...new Set(found.spans.map(({ family }) => family))]
        const reason = `This text ${families.map((family) => DOES.get(family)!).join(', and ')}.`
        findings.push({
          verdict: 'warn',
          rule: injectionRule(found.family),
          type: 'injection',
          spans: found.spans,
          score: found.score,
          reason,
        })
      }
    }
  } else if (settings.blockedTopics.length + settings.allowedTopics.length > 0) {
    checked.push('topic')
    findings.push(...topicsIn(text, settings))
  }
  for (const rule of rules) {
    const spans = ownSpans(text, rule)
    if (spans) findings.push({ verdict: rule.verdict, rule: ownId(rule), type: 'topic', spans, score: null, reason: rule.reason })
  }
  return { findings, checked }
}

function* topicsIn(text: string, { blockedTopics, allowedTopics }: TextInput['settings']): Generator<TextFinding> {
  const found = (topics: readonly GuardTopic[]) =>
    topics.flatMap(({ name, words }) => words.flatMap((word) => placesOf(text, word).map((place) => ({ ...place, family: name }))))
  const blocked = found(blockedTopics)
  const common = { type: 'topic' as const, score: null }
  if (blocked.length > 0) {
    const reason = `This text is about ${[...new Set(blocked.map(({ family }) => family))].join(', ')}, which you blocked.`
    yield { ...common, verdict: 'block', rule: 'topic-blocked', spans: blocked.slice(0, MOST_SPANS), reason }
  }
  if (allowedTopics.length > 0 && found(allowedTopics).length === 0)
    yield { ...common, verdict: 'warn', rule: 'topic-other', spans: [], reason: 'This text is about none of the topics that you allow.' }
}

/** Where a word stands by itself; in scripts without spaces, anywhere. */
function placesOf(text: string, word: string): { start: number; end: number }[] {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)
  const edge = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u.test(word) ? String.raw`(?<![\p{L}\p{N}])` : ''
  const pattern = new RegExp(`${edge}${escaped}${edge && String.raw`(?![\p{L}\p{N}])`}`, 'giu')
  return text
    .matchAll(pattern)
    .take(MOST_SPANS)
    .map(({ 0: match, index }) => ({ start: index, end: index + match.length }))
    .toArray()
}

/** A text that takes too long to search counts as found. */
function ownSpans(text: string, rule: OwnGuardRule): TextFinding['spans'] | null {
  const pattern = new RegExp(rule.pattern, 'gu')
  try {
    const spans = withTimeLimit(OWN_MS, () =>
      text
        .matchAll(pattern)
        .take(MOST_SPANS)
        .map(({ 0: match, index }) => ({ start: index, end: index + match.length, family: ownId(rule) }))
        .toArray(),
    )
    return spans.length > 0 ? spans : null
  } catch (error) {
    if (error instanceof TimeLimitError) return []
    throw error
  }
}
