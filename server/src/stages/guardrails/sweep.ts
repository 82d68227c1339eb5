import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { GuardSweep } from '#contracts/entities/guardrail.ts'
import type { GuardrailSettings, OwnGuardRule } from '#contracts/settings/guardrails.ts'
import type { Core } from '#server/core.ts'
import { createBackground } from '#server/jobs/background.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { eventIdOf } from './event-id.ts'
import { excerptOf } from './excerpt.ts'
import { dayOf, type GuardrailStore, type NewEvent } from './store.ts'
import type { SweepOptions, Swept } from './sweep-reader.ts'
import type { FoundTaint } from './taint/find.ts'

const READER = new URL('./sweep-reader.ts', import.meta.url).href
/** Increased when a rule changes, so that sessions are checked again. */
const RULES_VERSION = 2
const ROWS_AT_A_TIME = 200
/** More of one session would only repeat each other. */
const MOST_A_SESSION = 500
/** Delay before a check in the background, because a live session grows many times a minute. */
const DELAY_MS = 3000
/** A session that grows is read whole each time: for that part of the time at most. */
const REST_TIMES = 10

export interface SweepDeps {
  traces: {
    summaries(): { id: string; rev: number }[]
    reading(
      input: { traceId: string; module: string; options: SweepOptions },
      options: { lane: 'bulk'; signal: AbortSignal },
    ): Promise<{ rev: number; result: unknown } | null>
    /** Null if it was deleted. */
    head(traceId: string): unknown
    /** Whether an import or rebuild is running; a check in the background waits for it. */
    isBusy(): boolean
  }
  settings: () => GuardrailSettings
  ownRules: () => Promise<readonly OwnGuardRule[]>
  redact: (text: string) => string
}

interface Plan {
  options: SweepOptions
  /** Hash of what a check depends on. */
  rules: string
}

/**
 * Checks commands and tool results of captured sessions, one session at a time on a thread: in a job, and in the background
 * where the user switched that on. Goes on where it stopped.
 */
export function createSweep(core: Core, store: GuardrailStore, deps: SweepDeps) {
  const { log, now } = core
  const failedRevs = new Map<string, number>()
  /** When a session may be read in the background again. */
  const restsUntil = new Map<string, number>()
  let isJobRunning = false

  async function planned(): Promise<Plan> {
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

  const sweepOne = createSessionCheck(core, store, deps)

  /** Null if the session could not be read. */
  async function trySweep(head: { id: string; rev: number }, plan: Plan, signal: AbortSignal) {
    try {
      const counts = await sweepOne(head.id, plan, signal)
      failedRevs.delete(head.id)
      return counts
    } catch (error) {
      signal.throwIfAborted()
      failedRevs.set(head.id, head.rev)
      log.warn({ err: error, traceId: head.id }, "Couldn't check a session against the guardrails")
      return null
    }
  }

  const background = createBackground(
    async (signal) => {
      if (!deps.settings().newSessions) return
      const plan = await planned()
      for (const head of outstanding(plan.rules).filter(({ id, rev }) => failedRevs.get(id) !== rev)) {
        if (signal.aborted || isJobRunning || !deps.settings().newSessions) return
        if (deps.traces.isBusy()) return background.wake()
        if ((restsUntil.get(head.id) ?? 0) > now()) {
          background.wake()
          continue
        }
        const started = now()
        await trySweep(head, plan, signal)
        restsUntil.set(head.id, now() + REST_TIMES * (now() - started))
      }
    },
    { delayMs: DELAY_MS, onError: (error) => log.error({ err: error }, "Couldn't check sessions against the guardrails") },
  )

  return {
    wake: background.wake,
    close: background.close,
    forget(traceId: string): void {
      restsUntil.delete(traceId)
    },
    async counts() {
      const waiting = outstanding((await planned()).rules)
      const failed = waiting.filter(({ id, rev }) => failedRevs.get(id) === rev).length
      return { swept: deps.traces.summaries().length - waiting.length, waiting: waiting.length, failed }
    },
    async run({ signal, progress }: JobContext): Promise<GuardSweep> {
      isJobRunning = true
      try {
        await background.idle() // it stops after its current session
        const plan = await planned()
        const sessions = outstanding(plan.rules)
        const counts = { sessions: 0, events: 0, failed: 0, tainted: 0 }
        for (const head of sessions) {
          signal.throwIfAborted()
          progress({ phase: 'checking', done: counts.sessions + counts.failed, total: sessions.length, unit: 'sessions' })
          const result = await trySweep(head, plan, signal)
          if (result === null) counts.failed += 1
          else {
            counts.sessions += 1
            counts.events += result.events
            counts.tainted += result.tainted
          }
        }
        return counts
      } finally {
        isJobRunning = false
        if (!signal.aborted) background.wake() // sessions that grew while it ran
      }
    },
  }
}

type Counts = Pick<GuardSweep, 'events' | 'tainted'>

/** Removing secrets takes up to some milliseconds, so other work goes on between two texts. */
async function inTurns<From, To>(all: readonly From[], of: (one: From) => To, signal: AbortSignal): Promise<To[]> {
  const made: To[] = []
  for (const one of all) {
    made.push(of(one))
    await nextTurn()
    signal.throwIfAborted()
  }
  return made
}

/** Checks one session and stores what was found, without secrets. */
function createSessionCheck({ tx, now, events }: Core, store: GuardrailStore, deps: SweepDeps) {
  const short = (text: string) => excerptOf(deps.redact(text))
  const redacted = ({ command, from, line, words, ...rest }: FoundTaint) => ({
    ...rest,
    command: short(command),
    from: short(from),
    line: short(line),
    words: words.map(({ text, kind }) => ({ text: short(text), kind })),
  })

  return async function sweepOne(traceId: string, { options, rules }: Plan, signal: AbortSignal): Promise<Counts> {
    const none = { events: 0, tainted: 0 }
    const output = await deps.traces.reading({ traceId, module: READER, options }, { lane: 'bulk', signal })
    signal.throwIfAborted()
    if (!output) return none // deleted in the meantime
    const { checks, taint } = output.result as Swept // the type that sweep-reader.ts returns
    const allowed = new Map<string, number>()
    for (const { at, found } of checks) {
      const day = dayOf(at === null ? now() : Date.parse(at))
      if (!found) allowed.set(day, (allowed.get(day) ?? 0) + 1)
    }
    const found = checks.flatMap(({ at, found: one }) => (one ? [{ ...one, at }] : [])).slice(0, MOST_A_SESSION)
    const eventOf = ({ of, text, at, ...rest }: (typeof found)[number]): NewEvent => {
      const id = eventIdOf(traceId, { ...rest, of })
      return { ...rest, source: 'session', sandboxId: null, traceId, id, excerpt: short(text), at: at === null ? now() : Date.parse(at) }
    }
    const added = await inTurns(found, eventOf, signal)
    let stored = 0
    for (let at = 0; at < added.length; at += ROWS_AT_A_TIME) {
      await nextTurn()
      if (!deps.traces.head(traceId)) return none
      tx(() => {
        const reported = store.reportedSteps(traceId)
        for (const event of added.slice(at, at + ROWS_AT_A_TIME)) {
          if (event.type !== 'code' || event.stepId === null || !reported.has(event.stepId)) {
            store.add(event)
            stored += 1
          } else if (event.action === 'blocked') store.refuse(traceId, event.stepId)
        }
      })
    }
    const lines = await inTurns(taint.slice(0, MOST_A_SESSION), redacted, signal)
    await nextTurn()
    if (!deps.traces.head(traceId)) return none
    // last, so that an interrupted session is checked again
    tx(() => {
      store.saveTaint(traceId, lines)
      store.saveSweep(traceId, { rev: output.rev, rules, allowed })
    })
    events.passing('guardrail:swept', { traceId })
    return { events: stored, tainted: new Set(lines.map(({ stepId }) => stepId)).size }
  }
}
