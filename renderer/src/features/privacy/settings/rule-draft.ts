import { patternFault } from '#contracts/pattern.ts'
import type { CustomRule, PiiType } from '#contracts/entities/privacy.ts'
import { plural } from '#renderer/ui/format.ts'

/** A rule as typed: one test text per line. */
export interface RuleDraft {
  name: string
  pattern: string
  type: PiiType
  matches: string
  mustNotMatch: string
}

export const NEW_RULE: RuleDraft = { name: '', pattern: '', type: 'secret', matches: '', mustNotMatch: '' }

export const draftOf = (rule: CustomRule): RuleDraft => ({
  ...rule,
  matches: rule.matches.join('\n'),
  mustNotMatch: rule.mustNotMatch.join('\n'),
})

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

/** The result of the pattern on a test text. */
export interface Trial {
  text: string
  /** The match; null if there is none. */
  match: string | null
  isRight: boolean
}

export interface RuleReading {
  /** The error in the pattern. */
  fault: string | null
  matches: Trial[]
  mustNotMatch: Trial[]
  /** Why the rule cannot be saved; null if it can. */
  refusal: string | null
  rule: CustomRule | null
}

const MAX_TEXTS = 20

/** Tests the pattern on its texts. */
export function readRule(draft: RuleDraft, otherNames: readonly string[]): RuleReading {
  const fault = draft.pattern === '' ? null : patternFault(draft.pattern)
  const find = (text: string) => (draft.pattern === '' || fault !== null ? null : (new RegExp(draft.pattern, 'u').exec(text)?.[0] ?? null))
  const test = (text: string, shouldMatch: boolean): Trial => {
    const match = find(text)
    return { text, match, isRight: (match !== null) === shouldMatch }
  }
  const matches = linesOf(draft.matches)
  const mustNotMatch = linesOf(draft.mustNotMatch)
  const trials = { matches: matches.map((text) => test(text, true)), mustNotMatch: mustNotMatch.map((text) => test(text, false)) }
  const failures = [...trials.matches, ...trials.mustNotMatch].filter(({ isRight }) => !isRight).length
  const name = draft.name.trim()
  const refusal =
    name === ''
      ? 'Enter a name.'
      : otherNames.includes(name)
        ? 'Another rule has this name.'
        : draft.pattern === ''
          ? 'Enter a pattern.'
          : fault !== null
            ? fault
            : Math.max(matches.length, mustNotMatch.length) > MAX_TEXTS
              ? `Enter at most ${MAX_TEXTS} examples of each kind.`
              : failures > 0
                ? `${plural(failures, 'example')} below ${failures === 1 ? 'does' : 'do'} not give the expected result.`
                : null
  return {
    fault,
    ...trials,
    refusal,
    rule: refusal === null ? { name, pattern: draft.pattern, type: draft.type, matches, mustNotMatch } : null,
  }
}
