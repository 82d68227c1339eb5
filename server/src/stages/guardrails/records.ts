import type { GuardAction, GuardProfile, GuardSource, GuardVerdict } from '#contracts/entities/guardrail.ts'
import type { RedactionCounts } from '#contracts/entities/privacy.ts'
import type { Core } from '#server/core.ts'
import { excerptOf, partOf } from './excerpt.ts'
import type { GuardrailStore } from './store.ts'
import type { ResultFinding } from './text/tool-result.ts'

const NO_SESSION = { score: null, traceId: null, stepId: null } as const

interface Place {
  profile: GuardProfile
  source: GuardSource
  action: GuardAction
  sandboxId: string | null
  traceId: string | null
  stepId: string | null
}

/** Stores and publishes what was found before commands ran, and what was replaced. */
export function createRecords(
  { tx, events, now }: Pick<Core, 'tx' | 'events' | 'now'>,
  store: GuardrailStore,
  redact: (text: string) => string,
) {
  return {
    /** `action` without one: as sandboxes do. */
    checked(command: string, result: GuardVerdict, place: Partial<Place> & Pick<Place, 'profile'>): void {
      const { verdict, rule, reason, span } = result
      if (verdict === 'allow') return tx(() => store.addAllowed(1, now()))
      const excerpt = excerptOf(redact(partOf(command, span)))
      tx(() => {
        const done = { action: verdict === 'block' ? 'blocked' : 'ran', source: 'sandbox' } as const
        const what = { verdict, type: 'code', rule: rule ?? '', reason: reason ?? '', excerpt } as const
        const event = store.addReported({ ...NO_SESSION, sandboxId: null, ...done, ...what, ...place })
        events.append(event.action === 'blocked' ? 'guardrail:blocked' : 'guardrail:warn', { event })
      })
    },
    /** A model has read the result of a tool that something was found in. */
    read(id: string, { text, ...finding }: ResultFinding, place: { traceId: string | null; stepId: string | null }): void {
      if (store.has(id)) return
      const excerpt = excerptOf(redact(text))
      tx(() => {
        const event = store.add({ id, ...finding, ...place, action: 'ran', source: 'proxy', profile: null, sandboxId: null, excerpt })
        events.append('guardrail:warn', { event })
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
