import * as capture from './capture.ts'
import * as jobs from './jobs.ts'
import * as privacy from './privacy.ts'
import * as scoring from './scoring.ts'
import * as system from './system.ts'
import * as traces from './traces.ts'

const { TraceFilter: _f, TraceSort: _s, TraceFacets: _c, Selection: _l, BulkAction: _b, ...traceRoutes } = traces

/** Every route of the product, by name. */
export const routes = { ...system, ...jobs, ...capture, ...traceRoutes, ...scoring, ...privacy }
export type Routes = typeof routes
