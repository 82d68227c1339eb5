import type { GuardOverrides, GuardProfile, GuardRule, GuardVerdict } from '#contracts/entities/guardrail.ts'
import { closest } from '#contracts/closest.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import { requireCheckableLength } from './length.ts'
import { type GuardPolicy, evaluateWithTimeLimit } from './evaluate.ts'
import { RULES } from './rules.ts'
import { createGuardrailStore, type EventFilter } from './store.ts'

export interface GuardrailsDeps {
  /** Removes secrets and personal data from a text. */
  redact: (text: string) => string
}

export interface CheckOptions {
  sandboxId?: string
  /** Absolute path of the folder that the command would run in. */
  cwd?: string
  policy?: GuardPolicy
}

const EVALUATE_JOB = new URL('./evaluate.job.ts', import.meta.url)
/** About 5 ms of work; longer commands are checked on a thread. */
const SHORT_CHARS = 2_000
const LONGEST_EXCERPT = 300
const IDS: readonly string[] = RULES.map(({ id }) => id)

export function createGuardrailsService({ db, tx, events, workers, now }: Core, { redact }: GuardrailsDeps) {
  const store = createGuardrailStore(db, now)

  /** Throws `payload_too_large`. */
  async function evaluateCommand(
    command: string,
    profile: GuardProfile,
    cwd: string | null,
    policy: GuardPolicy = {},
  ): Promise<GuardVerdict> {
    requireCheckableLength(command)
    if (command.length <= SHORT_CHARS) return evaluateWithTimeLimit(command, profile, cwd, policy)
    return workers.run<GuardVerdict>(EVALUATE_JOB, [command, profile, cwd, policy], { lane: 'query' })
  }

  return {
    evaluateCommand,
    /** Throws `invalid_request` for an unknown rule. */
    policyOf(overrides: GuardOverrides): GuardPolicy {
      for (const id of Object.keys(overrides)) {
        if (IDS.includes(id)) continue
        const near = closest(id, IDS)
        throw new AppError('invalid_request', {
          message: `There is no guardrail rule "${id}".`,
          hint: near === null ? `Rules: ${IDS.join(', ')}.` : `Did you mean ${near}?`,
        })
      }
      return overrides
    },
    /** Checks a command before it runs; a warning or a block is stored and published. Throws `payload_too_large`. */
    async check(command: string, profile: GuardProfile, { sandboxId, cwd, policy }: CheckOptions = {}): Promise<GuardVerdict> {
      const result = await evaluateCommand(command, profile, cwd ?? null, policy)
      const { verdict, rule, reason, span } = result
      if (verdict === 'allow') return result
      const excerpt = excerptOf(redact(command.slice(span?.start ?? 0, span?.end ?? command.length).slice(0, LONGEST_EXCERPT * 10)))
      tx(() => {
        const event = store.add({ verdict, rule: rule ?? '', reason: reason ?? '', profile, sandboxId: sandboxId ?? null, excerpt })
        events.append(verdict === 'block' ? 'guardrail:blocked' : 'guardrail:warn', { event })
      })
      return result
    },
    rules: (): GuardRule[] => RULES.map(({ id, reason, native, sandbox }) => ({ id, reason, native, sandbox })),
    list: (filter: EventFilter) => store.list(filter),
  }
}

export type GuardrailsService = ReturnType<typeof createGuardrailsService>

const excerptOf = (text: string) => (text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT - 1)}…` : text)
