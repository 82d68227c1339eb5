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

/** One text that the pattern was tried on. */
export interface Trial {
  text: string
  /** What was found in it; null: nothing. */
  found: string | null
  isRight: boolean
}

export interface RuleReading {
  /** What is wrong with the pattern, in words. */
  fault: string | null
  matches: Trial[]
  mustNotMatch: Trial[]
  /** Why it cannot be saved, or null. */
  refusal: string | null
  rule: CustomRule | null
}

const MAX_TEXTS = 20

/** Tries the pattern on its texts. `taken`: names of the other rules. */
export function readRule(draft: RuleDraft, taken: readonly string[]): RuleReading {
  const fault = draft.pattern === '' ? null : patternFault(draft.pattern)
  const find = (text: string) => (draft.pattern === '' || fault !== null ? null : (new RegExp(draft.pattern, 'u').exec(text)?.[0] ?? null))
  const tryOn = (text: string, isWanted: boolean): Trial => {
    const found = find(text)
    return { text, found, isRight: (found !== null) === isWanted }
  }
  const matches = linesOf(draft.matches)
  const mustNotMatch = linesOf(draft.mustNotMatch)
  const tried = { matches: matches.map((text) => tryOn(text, true)), mustNotMatch: mustNotMatch.map((text) => tryOn(text, false)) }
  const wrong = [...tried.matches, ...tried.mustNotMatch].filter(({ isRight }) => !isRight).length
  const name = draft.name.trim()
  const refusal =
    name === ''
      ? 'Enter a name.'
      : taken.includes(name)
        ? 'Another rule has this name.'
        : draft.pattern === ''
          ? 'Enter a pattern.'
          : fault !== null
            ? fault
            : Math.max(matches.length, mustNotMatch.length) > MAX_TEXTS
              ? `Enter at most ${MAX_TEXTS} examples of each kind.`
              : wrong > 0
                ? `${plural(wrong, 'example')} below ${wrong === 1 ? 'does' : 'do'} not give the expected result.`
                : null
  return {
    fault,
    ...tried,
    refusal,
    rule: refusal === null ? { name, pattern: draft.pattern, type: draft.type, matches, mustNotMatch } : null,
  }
}
