import { Readable } from 'node:stream'
import { implement } from '#contracts/derive/route.ts'
import type { Profile, ProfiledSession } from '#contracts/entities/profile.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import { AppError } from '#contracts/errors.ts'
import * as routes from '#contracts/routes/observability.ts'
import type { TelemetrySettings } from '#contracts/settings/telemetry.ts'
import type { Core } from '#server/core.ts'
import { invalidCursor, pageOf } from '#server/db/paging.ts'
import type { OwnPrice } from '#server/prices/prices.ts'
import { createSpanStore } from '#server/spans/index.ts'
import type { Cleared, GateInput } from '../privacy/index.ts'
import type { Stage } from '../stage.ts'
import type { TracesService } from '../traces/index.ts'
import type { ProfileInput } from './profile.job.ts'
import { recordedItem } from './recorded.ts'
import { totalOf, workingTime } from './sums.ts'
import { createTelemetryIn, type TelemetryInDeps } from './telemetry/in.ts'
import type { CollectorKeys } from './telemetry/line.ts'
import { createTelemetryOut } from './telemetry/out.ts'
import type { SendInput } from './telemetry/send.job.ts'

const PROFILE_JOB = new URL('./profile.job.ts', import.meta.url)
const SEND_JOB = new URL('./telemetry/send.job.ts', import.meta.url)

export interface ObservabilityDeps extends Pick<TelemetryInDeps, 'isCaptured'> {
  traces: Pick<TracesService, 'lists' | 'analytics' | 'requestsOf' | 'head'>
  prices: () => readonly OwnPrice[]
  gate: (purpose: string) => GateInput
  version: string
  settings: () => TelemetrySettings
  /** Of the address where telemetry comes in. */
  token: () => string
  keys: CollectorKeys
}

/** Where the time, tokens and money of sessions went, computed from the tables of traces; and spans from and to other programs. */
export function createObservability(core: Core, { traces, prices, gate, version, settings, token, keys, isCaptured }: ObservabilityDeps) {
  const store = createSpanStore(core)
  const telemetryIn = createTelemetryIn(core, { settings, store, token, isCaptured })
  const telemetryOut = createTelemetryOut(core, {
    settings,
    keys,
    sourceOf: (id) => store.sourceOf(id),
    bytesOf(id, signal) {
      const input: SendInput = { database: core.paths.database, id, prices: prices(), gate: gate('spans for a collector'), version }
      return core.workers.run<Cleared<Uint8Array> | null>(SEND_JOB, input, { lane: 'bulk', signal })
    },
  })
  const run = async (traceId: string, signal: AbortSignal, write?: ProfileInput['write']): Promise<Profile | string> => {
    const input: ProfileInput = { database: core.paths.database, traceId, prices: prices(), ...(write && { write }) }
    const profile = await core.workers.run<Profile | string | null>(PROFILE_JOB, input, { lane: 'query', signal })
    if (profile === null) throw new AppError('trace_not_found', { message: `No trace has the id ${traceId}.` })
    return profile
  }
  const listRecorded = ({
    limit,
    cursor,
    q,
    sort,
  }: {
    limit: number
    cursor?: string | undefined
    q?: string | undefined
    sort: string
  }) => {
    if (q || sort !== '-working')
      throw new AppError('filter_invalid', { message: 'What was recorded is listed newest first, without a filter or another order.' })
    const rows = store.list(limit + 1, placeOf(cursor))
    const { items, nextCursor } = pageOf(rows, limit, ({ startedAt, id }) => `${startedAt ?? 0}:${id}`)
    return { items: items.map(recordedItem), nextCursor, total: store.total() }
  }
  const stage: Stage = {
    name: 'observability',
    routes: [
      implement(routes.listProfiles, async ({ query: { of, ...query } }) => {
        if (of === 'recorded') return listRecorded(query)
        const { items, ...page } = await traces.lists.list(query)
        const requests = await traces.requestsOf(items.map(({ id }) => id))
        return { ...page, items: items.map((trace) => sessionOf(trace, requests.get(trace.id) ?? 0)) }
      }),
      implement(routes.getProfile, async ({ params, signal }) => {
        const profile = (await run(params.id, signal)) as Profile // without `write`
        const isStored = profile.sessionId !== null && traces.head(profile.sessionId) !== null
        return isStored ? profile : { ...profile, sessionId: null }
      }),
      implement(routes.exportProfile, async ({ params, query: { format }, signal }) => {
        const write = { format, gate: gate('export of a profile'), version }
        const bytes = Buffer.from((await run(params.id, signal, write)) as string) // with `write`
        return {
          stream: Readable.from([bytes]),
          fileName: `${params.id}.${format}.json`,
          contentType: 'application/json',
          bytes: bytes.length,
        }
      }),
      implement(routes.getAnalytics, ({ query }) => traces.analytics(query.by, query.q)),
      implement(routes.addSpans, ({ body }) => {
        const spans = body.spans.map(({ startedAt, tokens, ...span }) => ({
          ...span,
          startedAt: Date.parse(startedAt),
          tokens: tokens ?? null,
          requestId: null,
        }))
        return store.add(spans, () => ({ source: 'profiler', title: null, session: null }))
      }),
      implement(routes.getTelemetry, async () => ({ in: await telemetryIn.status(), out: telemetryOut.status() })),
      implement(routes.sendTrace, ({ params }) => {
        if (settings().out.length === 0) throw new AppError('telemetry_not_set_up')
        if (traces.head(params.id) === null && store.sourceOf(params.id) === null)
          throw new AppError('trace_not_found', { message: `No trace has the id ${params.id}.` })
        return { collectors: telemetryOut.send(params.id) }
      }),
    ],
    forget: (session) => store.forget(session),
    async start({ watch }) {
      if (!watch || core.readsOnly) return
      telemetryOut.start()
      await telemetryIn.start()
    },
    stop: () => telemetryIn.stop(),
    close: () => telemetryOut.close(),
    settings: [
      {
        select: ({ telemetry }) => telemetry,
        onChange() {
          void telemetryIn.changed()
          telemetryOut.settingsChanged()
        },
      },
    ],
  }
  return { stage }
}

/** The place of a cursor. Throws `invalid_request`. */
function placeOf(cursor: string | undefined): { at: number; id: string } | null {
  const [, at, id] = /^(\d{1,16}(?:\.\d{1,10})?):([0-9a-f]{32})$/.exec(cursor ?? '') ?? []
  if (at !== undefined && id !== undefined) return { at: Number(at), id }
  if (cursor === undefined) return null
  throw invalidCursor()
}

const sessionOf = (trace: Trace, requests: number): ProfiledSession => ({
  id: trace.id,
  source: 'session',
  title: trace.title,
  agent: trace.agent,
  repo: trace.repo,
  models: trace.models,
  startedAt: trace.startedAt,
  summary: {
    durationMs: trace.durationMs,
    waitingMs: trace.waitingMs,
    workingMs: workingTime(trace.durationMs, trace.waitingMs),
    llmCalls: { count: requests, totalTokens: totalOf(trace.tokens) },
    tokens: trace.tokens,
    toolCalls: trace.counts.toolCalls,
    failedToolCalls: trace.counts.failedToolCalls,
    costUsd: trace.costUsd,
  },
})
