import type { GuardProfile, GuardVerdict } from '#contracts/entities/guardrail.ts'
import type { RedactionCounts } from '#contracts/entities/privacy.ts'
import type { Core } from '#server/core.ts'
import { excerptOf, partOf } from './excerpt.ts'
import type { GuardrailStore } from './store.ts'

const NO_SESSION = { score: null, traceId: null, stepId: null } as const

/** Stores and publishes what was found before commands ran, and what was replaced. */
export function createRecords(
  { tx, events, now }: Pick<Core, 'tx' | 'events' | 'now'>,
  store: GuardrailStore,
  redact: (text: string) => string,
) {
  return {
    checked(command: string, result: GuardVerdict, { profile, sandboxId }: { profile: GuardProfile; sandboxId: string | null }): void {
      const { verdict, rule, reason, span } = result
      if (verdict === 'allow') return tx(() => store.addAllowed(1, now()))
      const excerpt = excerptOf(redact(partOf(command, span)))
      tx(() => {
        const action = verdict === 'block' ? 'blocked' : 'ran'
        const what = { verdict, action, type: 'code', source: 'sandbox', rule: rule ?? '', reason: reason ?? '', excerpt } as const
        const event = store.add({ ...NO_SESSION, ...what, profile, sandboxId })
        events.append(verdict === 'block' ? 'guardrail:blocked' : 'guardrail:warn', { event })
      })
    },
    /** Secrets in a request of a run were replaced; `counts`: the new ones, by type. */
    redacted(counts: RedactionCounts): void {
      const what = Object.entries(counts).filter(([, count]) => count > 0)
      if (what.length === 0) return
      tx(() => {
        const event = store.add({
          ...NO_SESSION,
          verdict: 'warn',
          action: 'redacted',
          type: 'pii',
          source: 'sandbox',
          rule: 'personal-data',
          reason: 'A request of a run to its model had secrets, which were replaced.',
          profile: null,
          sandboxId: null,
          excerpt: what.map(([type, count]) => `${count} × ${type}`).join(', '),
        })
        events.append('guardrail:pii_redacted', { event })
      })
    },
  }
}
