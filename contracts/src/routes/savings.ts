import { routesOf } from '../derive/route.ts'
import { Savings, SavingsQuery } from '../entities/savings.ts'

const route = routesOf('router')

export const getSavings = route.get('getSavings', '/api/router/savings', {
  summary: 'What the proven model would have saved in past sessions, the newest first; nothing where nothing is proven',
  query: SavingsQuery,
  response: Savings,
})
