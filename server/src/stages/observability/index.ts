import { Readable } from 'node:stream'
import { implement } from '#contracts/derive/route.ts'
import type { Profile, ProfiledSession } from '#contracts/entities/profile.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import { AppError } from '#contracts/errors.ts'
import * as routes from '#contracts/routes/observability.ts'
import type { Core } from '#server/core.ts'
import type { OwnPrice } from '#server/prices/prices.ts'
import type { GateInput } from '../privacy/index.ts'
import type { Stage } from '../stage.ts'
import type { TracesService } from '../traces/index.ts'
import type { ProfileInput } from './profile.job.ts'
import { totalOf, workingTime } from './profile.ts'

const PROFILE_JOB = new URL('./profile.job.ts', import.meta.url)

export interface ObservabilityDeps {
  traces: Pick<TracesService, 'lists' | 'analytics' | 'requestsOf'>
  prices: () => readonly OwnPrice[]
  gate: (purpose: string) => GateInput
  version: string
}

/** Where the time, tokens and money of sessions went. It has no tables: everything is computed from those of traces. */
export function createObservability(core: Pick<Core, 'workers' | 'paths'>, deps: ObservabilityDeps): { stage: Stage } {
  const run = async (traceId: string, signal: AbortSignal, write?: ProfileInput['write']): Promise<Profile | string> => {
    const input: ProfileInput = { database: core.paths.database, traceId, prices: deps.prices(), ...(write && { write }) }
    const profile = await core.workers.run<Profile | string | null>(PROFILE_JOB, input, { lane: 'query', signal })
    if (profile === null) throw new AppError('trace_not_found', { message: `No trace has the id ${traceId}.` })
    return profile
  }
  const stage: Stage = {
    name: 'observability',
    routes: [
      implement(routes.listProfiles, async ({ query }) => {
        const { items, ...page } = await deps.traces.lists.list(query)
        const requests = await deps.traces.requestsOf(items.map(({ id }) => id))
        return { ...page, items: items.map((trace) => sessionOf(trace, requests.get(trace.id) ?? 0)) }
      }),
      implement(routes.getProfile, async ({ params, signal }) => (await run(params.id, signal)) as Profile), // without `write`
      implement(routes.exportProfile, async ({ params, query: { format }, signal }) => {
        const write = { format, gate: deps.gate('export of a profile'), version: deps.version }
        const bytes = Buffer.from((await run(params.id, signal, write)) as string) // with `write`
        return {
          stream: Readable.from([bytes]),
          fileName: `${params.id}.${format}.json`,
          contentType: 'application/json',
          bytes: bytes.length,
        }
      }),
      implement(routes.getAnalytics, ({ query }) => deps.traces.analytics(query.by, query.q)),
    ],
    forget: null,
  }
  return { stage }
}

const sessionOf = (trace: Trace, requests: number): ProfiledSession => ({
  id: trace.id,
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
