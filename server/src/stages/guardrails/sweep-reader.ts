import { hash } from 'node:crypto'
import type { GuardrailEvent } from '#contracts/entities/guardrail.ts'
import type { GuardrailSettings, OwnGuardRule } from '#contracts/settings/guardrails.ts'
import { AppError } from '#contracts/errors.ts'
import { evaluateWithTimeLimit } from './evaluate.ts'
import { LONGEST_PART } from './excerpt.ts'
import { requireCheckableLength } from './length.ts'
import { checkText } from './text/check.ts'

/** A text of a session from the traces stage. */
interface SweptText {
  entryId: string
  kind: string
  tool: string | null
  at: string | null
  part: 'body' | 'result'
  path: string
  text: string
}

export interface SweepOptions {
  settings: Pick<GuardrailSettings, 'injectionDetection' | 'codeSafety' | 'blockedTopics' | 'allowedTopics'>
  /** The user's rules that count. */
  rules: readonly OwnGuardRule[]
}

/** A check of a session: that nothing matched, or what did. `text`: the part that decided, not redacted yet. */
export type Swept =
  | { at: string | null; found: null }
  | {
      at: string | null
      found: Pick<GuardrailEvent, 'verdict' | 'type' | 'rule' | 'reason' | 'profile' | 'score' | 'stepId'> & { key: string; text: string }
    }

/** Shown after what decided, up to the end of its line. */
const REST = 80
/** The client itself adds this to files that were read. */
const OF_THE_CLIENT =
  /\s*<system-reminder>\s*(?:Whenever you read a file|The TodoWrite tool|The task tools)[^<]{0,1500}<\/system-reminder>\s*$/

/** Read by the passages job of the traces stage, in a worker. */
export const reader = {
  read(passage: SweptText, options: SweepOptions): Swept[] {
    const { kind, tool, part, path, text } = passage
    if (kind !== 'step') return []
    if (part === 'result') return options.settings.injectionDetection ? [readResult(passage, options)] : []
    const isCommand = tool === 'Bash' && path === '/command' && text.trim() !== ''
    return isCommand && options.settings.codeSafety ? [readCommand(passage, options)].filter((one) => one !== null) : []
  },
}

function readCommand({ entryId, at, text }: SweptText, { rules }: SweepOptions): Swept | null {
  try {
    requireCheckableLength(text)
  } catch (error) {
    if (error instanceof AppError) return null // it was not checked, so it is not counted
    throw error
  }
  const { verdict, rule, reason, span } = evaluateWithTimeLimit(text, 'native', null, {}, rules)
  if (verdict === 'allow') return { at, found: null }
  const part = text.slice(span?.start ?? 0, span?.end ?? text.length).slice(0, LONGEST_PART)
  const common = { stepId: entryId, profile: 'native' as const, score: null, type: 'code' as const }
  return { at, found: { ...common, verdict, rule: rule ?? '', reason: reason ?? '', key: keyOf(entryId, 'body', rule), text: part } }
}

function readResult({ entryId, at, text: whole }: SweptText, { settings, rules }: SweepOptions): Swept {
  const text = whole.replace(OF_THE_CLIENT, '')
  const onTexts = rules.filter(({ on }) => on === 'text')
  const { findings } = checkText({ text, direction: 'tool_result', settings, rules: onTexts })
  const worst = findings.find(({ verdict }) => verdict === 'block') ?? findings[0]
  if (!worst) return { at, found: null }
  const { verdict, rule, type, reason, score, spans } = worst
  const end = spans.at(-1)?.end ?? text.length
  const rest = /^[^\n]*/.exec(text.slice(end, end + REST))![0]
  const part = `${text.slice(spans[0]?.start ?? 0, end)}${rest}`.slice(0, LONGEST_PART)
  const common = { stepId: entryId, profile: null, score, verdict, type: type!, rule: rule!, reason: reason! } // every finding names its rule
  return { at, found: { ...common, key: keyOf(entryId, 'result', rule), text: part } }
}

const keyOf = (...place: readonly (string | null)[]) => hash('sha256', place.join('\0')).slice(0, 24)
