import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/checks.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { Checks } from './service.ts'

/** Each holds a sandbox; more wait in line. */
const AT_ONCE = 2

export const checkRoutes = (
  checks: Checks,
  { jobs, requireTrace }: { jobs: Jobs; requireTrace: (traceId: string) => void },
): Implementation[] => [
  implement(routes.findChecks, ({ body }) => ({ items: checks.find(body.directory) })),
  implement(routes.runChecks, ({ body }) => {
    checks.find(body.directory) // a folder that is none is told at once
    return jobs.start('checks', (context) => checks.run(body, context), { atOnce: AT_ONCE })
  }),
  implement(routes.getTraceChecks, ({ params }) => {
    requireTrace(params.id)
    return { result: checks.resultOf(params.id) }
  }),
  implement(routes.checkTrace, ({ params, body }) =>
    jobs.start('trace-checks', (context) => checks.runOfTrace(params.id, body, context), { atOnce: AT_ONCE, subject: params.id }),
  ),
]
