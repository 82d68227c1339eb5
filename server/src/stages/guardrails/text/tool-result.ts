import type { GuardrailEvent } from '#contracts/entities/guardrail.ts'
import type { OwnGuardRule } from '#contracts/settings/guardrails.ts'
import { LONGEST_PART } from '../excerpt.ts'
import { checkText, type TextInput } from './check.ts'

export interface ResultOptions {
  settings: TextInput['settings']
  /** The user's rules that count. */
  rules: readonly OwnGuardRule[]
}

/** What was found in the result of a tool. `text`: the part that decided, not redacted yet. */
export type ResultFinding = Pick<GuardrailEvent, 'verdict' | 'type' | 'rule' | 'reason' | 'score'> & { text: string }

/** Shown after what decided, up to the end of its line. */
const REST = 80
/** The client itself adds this to files that were read. */
const OF_THE_CLIENT =
  /\s*<system-reminder>\s*(?:Whenever you read a file|The TodoWrite tool|The task tools)[^<]{0,1500}<\/system-reminder>\s*$/

/** Null if no rule matched. */
export function findInResult(whole: string, { settings, rules }: ResultOptions): ResultFinding | null {
  const text = whole.replace(OF_THE_CLIENT, '')
  const onTexts = rules.filter(({ on }) => on === 'text')
  const { findings } = checkText({ text, direction: 'tool_result', settings, rules: onTexts })
  const worst = findings.find(({ verdict }) => verdict === 'block') ?? findings[0]
  if (!worst) return null
  const { verdict, rule, type, reason, score, spans } = worst
  const end = spans.at(-1)?.end ?? text.length
  const rest = /^[^\n]*/.exec(text.slice(end, end + REST))![0]
  const part = `${text.slice(spans[0]?.start ?? 0, end)}${rest}`.slice(0, LONGEST_PART)
  return { verdict, type: type!, rule: rule!, reason: reason!, score, text: part } // every finding names its rule
}
