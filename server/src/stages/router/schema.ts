import { keeps, type Schema } from '#server/db/schema.ts'
import { routeReports } from './migrations/0048-route-reports.ts'

export const routerSchema: Schema = {
  own: { route_reports: keeps('how answers went') },
  published: [],
  migrations: [routeReports],
}
