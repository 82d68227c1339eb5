import type { Cache, Handlers } from './messages.ts'

/** Commands that were warned about or blocked. */
export const guardrailKeys = { events: ['guardrail-events'] as const }

export const guardrailMessages = ({ again }: Cache) =>
  ({
    'guardrail:blocked': () => again(guardrailKeys.events),
    'guardrail:warn': () => again(guardrailKeys.events),
  }) satisfies Partial<Handlers>
