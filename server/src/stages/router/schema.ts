import { keeps, type Schema } from '#server/db/schema.ts'
import { routeReports } from './migrations/0048-route-reports.ts'
import { routeDecisions } from './migrations/0049-route-decisions.ts'

export const routerSchema: Schema = {
  own: { route_reports: keeps('how answers went'), route_decisions: keeps('figures of requests') },
  published: [],
  migrations: [routeReports, routeDecisions],
}
