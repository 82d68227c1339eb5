import type { GuardCheck, GuardVerdict } from '#contracts/entities/guardrail.ts'
import { TimeLimitError, withTimeLimit } from '#server/workers/time-limit.ts'
import { evaluate, readActions, unreadable, verdictOf } from './engine.ts'
import type { Action } from './shell/actions.ts'
import { UNKNOWN } from './shell/text.ts'

const LIMIT_MS = 2_000

/** A command that takes longer than the limit counts as unreadable. */
export function evaluateWithTimeLimit(...[command, profile, cwd, policy, own]: Parameters<typeof evaluate>): GuardVerdict {
  try {
    return withTimeLimit(LIMIT_MS, () => evaluate(command, profile, cwd, policy, own))
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error
    return verdictOf([unreadable('it takes too long to read', cwd, null)], profile, policy)
  }
}

const MOST_SHOWN = 100
const LONGEST_SHOWN = 200

/** What a command would do, as it was read, for people. */
export function parseOf(command: string, cwd: string | null): NonNullable<GuardCheck['parse']> {
  let actions: Action[]
  try {
    actions = withTimeLimit(LIMIT_MS, () => readActions(command, cwd))
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error
    actions = [unreadable('it takes too long to read', cwd, null)]
  }
  return actions.slice(0, MOST_SHOWN).map((action) => {
    const text = textOf(action)
    return {
      kind: action.kind,
      text: (text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1)}…` : text).replaceAll(UNKNOWN, '?'),
      folder: action.folder,
      isElevated: action.isElevated,
    }
  })
}

function textOf(action: Action): string {
  switch (action.kind) {
    case 'command':
      return [action.name || '?', ...action.args].join(' ')
    case 'write':
      return action.path
    case 'script':
      return `code that is ${action.origin}`
    case 'bomb':
      return 'starts itself again and again'
    default:
      return action.why
  }
}
