import { setImmediate } from 'node:timers/promises'
import type { TelemetryIn } from '#contracts/entities/telemetry.ts'
import type { TelemetrySettings } from '#contracts/settings/telemetry.ts'
import { type Body, Busy, openOtlpListener, type OtlpListener, TooLarge, Unreadable } from '#server/adapters/otlp/index.ts'
import type { Core } from '#server/core.ts'
import { isoOf } from '#server/instant.ts'
import type { SpanStore } from '#server/spans/index.ts'
import type { ReceiveResult, Taken } from './receive.job.ts'
import { variablesOf } from './variables.ts'

const RECEIVE_JOB = new URL('./receive.job.ts', import.meta.url)
/** Bodies that are read or stored at a time; exporters send the others again. */
const MAX_WAITING = 8
/** Spans or requests in one transaction, so that other writers need not wait long. */
const AT_ONCE = 1000

export interface TelemetryInDeps {
  settings: () => TelemetrySettings
  store: SpanStore
  /** Made at its first use. */
  token: () => string
  /** Whether the user has a session captured, by its trace. No text of others is kept. */
  isCaptured: (traceId: string) => boolean
}

/** The address where other programs send telemetry, while the user wants it. */
export function createTelemetryIn(core: Core, { settings, store, token, isCaptured }: TelemetryInDeps) {
  const came = { spans: 0, requests: 0, repeated: 0, ignored: 0, refused: 0 }
  let lastAt: number | null = null
  let waiting = 0
  let open: OtlpListener | null = null
  let problem: string | null = null
  let isStopped = true
  /** Opens and closes one after the other. */
  let turn: Promise<void> = Promise.resolve()

  async function take(body: Body): Promise<number> {
    if (waiting >= MAX_WAITING || isStopped) throw new Busy()
    waiting += 1
    try {
      const received = await core.workers.run<ReceiveResult>(RECEIVE_JOB, body, { lane: 'live' })
      if ('fault' in received) throw received.fault === 'too_large' ? new TooLarge() : new Unreadable(received.message)
      const taken = withoutTexts(received, isCaptured)
      for (let at = 0; at < taken.spans.length; at += AT_ONCE) {
        if (at > 0) await setImmediate()
        const { stored, repeated } = store.add(taken.spans.slice(at, at + AT_ONCE), (id) => taken.facts.get(id)!) // it has all
        came.spans += stored
        came.repeated += repeated
      }
      for (let at = 0; at < taken.requests.length; at += AT_ONCE) {
        if (at > 0) await setImmediate()
        came.requests += store.addRequests(taken.requests.slice(at, at + AT_ONCE))
      }
      came.ignored += taken.ignored
      lastAt = core.now()
      return taken.invalid
    } finally {
      waiting -= 1
    }
  }
  async function follow(): Promise<void> {
    const { in: isOn, inPort } = settings()
    const wanted = isOn && !isStopped ? inPort : null
    if (open !== null && open.port !== wanted) {
      const closing = open
      open = null
      await closing.close()
    }
    if (wanted === null) problem = null
    if (wanted === null || open !== null) return
    try {
      open = await openOtlpListener({ port: wanted, token: token(), take, onRefused: () => void (came.refused += 1) })
      problem = null
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      problem =
        code === 'EADDRINUSE'
          ? `Port ${wanted} is in use by another program, such as a collector. Choose another port.`
          : `Port ${wanted} can't be opened: ${message}.`
      core.log.warn({ problem }, 'the address for telemetry was not opened')
    }
  }
  const changed = (): Promise<void> => (turn = turn.then(follow))

  return {
    changed,
    start(): Promise<void> {
      isStopped = false
      store.prune()
      return changed()
    },
    stop(): Promise<void> {
      isStopped = true
      return changed()
    },
    /** Waits for a change that is being made. */
    async status(): Promise<TelemetryIn> {
      await turn
      const address = open && `http://127.0.0.1:${open.port}`
      const variables = address === null ? [] : variablesOf(address, token())
      return { isOn: settings().in, address, problem, variables, ...came, lastAt: isoOf(lastAt) }
    },
  }
}

/** The figures of all sessions, and texts of captured ones only. */
function withoutTexts({ spans, facts, ...rest }: Taken, isCaptured: TelemetryInDeps['isCaptured']): Taken {
  const silent = new Set([...facts].flatMap(([id, { session }]) => (session === null || isCaptured(session) ? [] : id)))
  if (silent.size === 0) return { spans, facts, ...rest }
  return {
    ...rest,
    spans: spans.map((span) => (silent.has(span.traceId) ? { ...span, label: null, error: span.error === null ? null : 'failed' } : span)),
    facts: new Map([...facts].map(([id, fact]) => [id, silent.has(id) ? { ...fact, title: null } : fact])),
  }
}
