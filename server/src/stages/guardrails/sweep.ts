import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { GuardSweep } from '#contracts/entities/guardrail.ts'
import type { GuardrailSettings, OwnGuardRule } from '#contracts/settings/guardrails.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { excerptOf } from './excerpt.ts'
import { dayOf, type GuardrailStore, type NewEvent } from './store.ts'
import type { SweepOptions, Swept } from './sweep-reader.ts'

const READER = new URL('./sweep-reader.ts', import.meta.url).href
/** Increased when a rule changes, so that sessions are checked again. */
const RULES_VERSION = 1
const ROWS_AT_A_TIME = 200
/** More of one session would only repeat each other. */
const MOST_A_SESSION = 500

export interface SweepDeps {
  traces: {
    summaries(): { id: string; rev: number }[]
    passages(
      input: { traceId: string; afterRev: number; module: string; options: SweepOptions },
      options: { lane: 'bulk'; signal: AbortSignal },
    ): Promise<{ rev: number; found: unknown[] } | null>
    /** Null if it was deleted. */
    head(traceId: string): unknown
  }
  settings: () => GuardrailSettings
  ownRules: () => Promise<readonly OwnGuardRule[]>
  redact: (text: string) => string
}

/** Checks commands and tool results of captured sessions, one session at a time on a thread; goes on where it stopped. */
export function createSweep({ tx, log, now }: Core, store: GuardrailStore, deps: SweepDeps) {
  async function planned(): Promise<{ options: SweepOptions; rules: string }> {
    const { injectionDetection, codeSafety, blockedTopics, allowedTopics } = deps.settings()
    const options = { settings: { injectionDetection, codeSafety, blockedTopics, allowedTopics }, rules: await deps.ownRules() }
    const { settings, rules } = options
    const what = [RULES_VERSION, settings.injectionDetection, settings.codeSafety, rules]
    return { options, rules: hash('sha256', JSON.stringify(what)).slice(0, 24) }
  }

  const outstanding = (rules: string) => {
    const done = store.sweeps()
    return deps.traces.summaries().filter(({ id, rev }) => done.get(id)?.rules !== rules || done.get(id)!.rev < rev)
  }

  async function sweepOne(traceId: string, { options, rules }: Awaited<ReturnType<typeof planned>>, signal: AbortSignal): Promise<number> {
    const output = await deps.traces.passages({ traceId, afterRev: -1, module: READER, options }, { lane: 'bulk', signal })
    signal.throwIfAborted()
    if (!output) return 0 // deleted in the meantime
    const swept = output.found as Swept[] // the type that sweep-reader.ts returns
    const allowed = new Map<string, number>()
    for (const { at, found } of swept) {
      const day = dayOf(at === null ? now() : Date.parse(at))
      if (!found) allowed.set(day, (allowed.get(day) ?? 0) + 1)
    }
    const events = swept
      .flatMap(({ at, found }): NewEvent[] => {
        if (!found) return []
        const { key, text, ...rest } = found
        const id = hash('sha256', `${traceId} ${key}`).slice(0, 24)
        const common = { action: 'ran', source: 'session', sandboxId: null, traceId } as const
        return [{ ...rest, ...common, id, excerpt: excerptOf(deps.redact(text)), at: at === null ? now() : Date.parse(at) }]
      })
      .slice(0, MOST_A_SESSION)
    for (let at = 0; at < events.length; at += ROWS_AT_A_TIME) {
      await nextTurn()
      if (!deps.traces.head(traceId)) return 0
      tx(() => {
        for (const event of events.slice(at, at + ROWS_AT_A_TIME)) store.add(event)
      })
    }
    // last, so that an interrupted session is checked again
    if (deps.traces.head(traceId)) tx(() => store.saveSweep(traceId, { rev: output.rev, rules, allowed }))
    return events.length
  }

  return {
    async counts() {
      const waiting = outstanding((await planned()).rules).length
      return { swept: deps.traces.summaries().length - waiting, waiting }
    },
    async run({ signal, progress }: JobContext): Promise<GuardSweep> {
      const plan = await planned()
      const sessions = outstanding(plan.rules)
      const counts = { sessions: 0, events: 0, failed: 0 }
      for (const { id } of sessions) {
        signal.throwIfAborted()
        progress({ phase: 'checking', done: counts.sessions + counts.failed, total: sessions.length, unit: 'sessions' })
        try {
          counts.events += await sweepOne(id, plan, signal)
          counts.sessions += 1
        } catch (error) {
          signal.throwIfAborted()
          counts.failed += 1
          log.warn({ err: error, traceId: id }, "Couldn't check a session against the guardrails")
        }
      }
      return counts
    },
  }
}
