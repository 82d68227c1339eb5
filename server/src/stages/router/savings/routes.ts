import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/savings.ts'
import type { createSavings } from './service.ts'

export const savingsRoutes = (savings: ReturnType<typeof createSavings>): Implementation[] => [
  implement(routes.getSavings, ({ query }) => savings.read(query)),
]
