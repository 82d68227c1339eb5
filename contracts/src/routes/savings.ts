import { routesOf } from '../derive/route.ts'
import { Savings, SavingsQuery } from '../entities/savings.ts'
import { StepRulesPrice, StepRulesRequest } from '../entities/step-rules.ts'

const route = routesOf('router')

export const getSavings = route.get('getSavings', '/api/router/savings', {
  summary: 'What the proven model would have saved in past sessions, the newest first; nothing where nothing is proven',
  query: SavingsQuery,
  response: Savings,
})
export const priceStepRules = route.post('priceStepRules', '/api/router/rules/price', {
  summary: 'What recent sessions would have cost with rules for model and effort of Claude; nothing is changed',
  body: StepRulesRequest,
  response: StepRulesPrice,
})
