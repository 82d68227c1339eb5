import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/checks.ts'
import type { TraceFilter } from '#contracts/routes/traces.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { checkMany } from './bulk.ts'
import type { Checks } from './service.ts'

/** How many run at the same time, because each needs a sandbox; more are queued. */
const AT_ONCE = 2

export interface CheckRouteDeps {
  jobs: Jobs
  /** Throws `trace_not_found`. */
  requireTrace: (traceId: string) => void
  /** Throws `filter_invalid`. */
  idsOf: (filter: TraceFilter) => Promise<string[]>
  projectOf: (traceId: string) => string
  /** How many sandboxes may run at the same time. */
  sandboxLimit: () => number
}

export const checkRoutes = (checks: Checks, { jobs, requireTrace, idsOf, projectOf, sandboxLimit }: CheckRouteDeps): Implementation[] => [
  implement(routes.findChecks, async ({ body }) => ({ items: await checks.find(body.directory) })),
  implement(routes.runChecks, async ({ body }) => {
    await checks.find(body.directory) // refuses a wrong folder immediately
    return jobs.start('checks', (context) => checks.run(body, context), { atOnce: AT_ONCE })
  }),
  implement(routes.getTraceChecks, ({ params }) => {
    requireTrace(params.id)
    return { result: checks.resultOf(params.id) }
  }),
  implement(routes.checkTrace, ({ params, body }) =>
    jobs.start('trace-checks', async (context) => (await checks.runOfTrace(params.id, body, context)).report, {
      atOnce: AT_ONCE,
      subject: params.id,
    }),
  ),
  implement(routes.checkTraces, async ({ body: { selection, timeoutSec } }) => {
    const ids = 'ids' in selection ? [...new Set(selection.ids)] : await idsOf(selection.filter)
    const bulk = { timeoutSec, atOnce: AT_ONCE }
    return jobs.start('bulk-checks', (context) => checkMany(ids, bulk, { checks, projectOf, sandboxLimit }, context), { single: true })
  }),
]
