import type { StepRulesPrice } from '#contracts/entities/step-rules.ts'
import type { StepKind, StepRule } from '#contracts/settings/router.ts'
import type { Database } from '#server/db/open.ts'
import { type OwnPrice, priceOf, responseCost } from '#server/prices/prices.ts'
import { createCache } from '../savings/cache.ts'
import { type AgentRequest, openSessions, type Session } from '../savings/sessions.ts'
import { lifeOf } from '../savings/work.ts'

export interface PriceInput {
  database: string
  rules: readonly StepRule[]
  prices: readonly OwnPrice[]
}

export type RulesPriced = Omit<StepRulesPrice, 'isOn' | 'problem'>

/** The newest are what the next ones are like, and can be computed while somebody waits. */
const SESSIONS = 1000
/** A fork goes on with the conversation of its parent, and reads its cache. */
const FORK = 'fork'

/** The rule for a step; the mod chooses in the same way. */
export const ruleFor = (rules: readonly StepRule[], when: StepKind, agentType: string | null): StepRule | undefined =>
  agentType === FORK || (when === 'subagent' && agentType === null)
    ? undefined
    : rules.find((rule) => rule.when === when && (when !== 'subagent' || rule.agentType === '' || rule.agentType === agentType))

export interface Step {
  request: AgentRequest & { at: number }
  rule: StepRule | undefined
}

/** What the steps of one conversation would have cost, each with its own model and with that of its rule; null if that is not known. */
export function priceSteps(steps: readonly Step[], prices: readonly OwnPrice[]): { without: number; with: number }[] | null {
  const life = lifeOf(steps.map(({ request }) => request))
  const isCached = steps.some(({ request: { cacheRead, cacheWrite } }) => (cacheRead ?? 0) + (cacheWrite ?? 0) > 0)
  const caches = { without: createCache(life), with: createCache(life) }
  const costs: { without: number; with: number }[] = []
  for (const { request, rule } of steps) {
    const { input, cacheRead, cacheWrite, model, at } = request
    if (input === null || model === null) return null
    const context = input + (cacheRead ?? 0) + (cacheWrite ?? 0)
    const cost = (name: keyof typeof caches, chosen: string) => {
      const { read, write } = isCached ? caches[name]({ at, model: chosen, context }) : { read: 0, write: 0 }
      const sent = { input: isCached ? 0 : context, cacheRead: read, cacheWrite: write, cacheWrite1h: life === 'long' ? write : 0 }
      return responseCost(chosen, { ...request, ...sent }, priceOf(chosen, prices))
    }
    const [without, withRule] = [cost('without', model), cost('with', rule?.model || model)]
    if (without === null || withRule === null) return null
    costs.push({ without, with: withRule })
  }
  return costs
}

/** What the newest sessions would have cost with these rules. */
export function priceRules(db: Database, { rules, prices }: Omit<PriceInput, 'database'>): RulesPriced {
  const archive = openSessions(db)
  const figures = rules.map((rule) => ({ rule, steps: 0, usd: 0 }))
  const sums = { sessions: 0, steps: 0, leftOut: 0, recorded: 0, without: 0, with: 0 }
  for (const session of archive.all()) {
    if (sums.sessions === SESSIONS) break
    const conversations = stepsOf(session, archive, rules)
    const costs = conversations?.map((steps) => priceSteps(steps, prices))
    if (!conversations || !costs || session.costUsd === null || costs.includes(null)) {
      sums.leftOut += 1
      continue
    }
    sums.sessions += 1
    sums.recorded += session.costUsd
    for (const [at, steps] of conversations.entries())
      for (const [no, { rule }] of steps.entries()) {
        const cost = costs[at]![no]!
        sums.steps += 1
        sums.without += cost.without
        sums.with += cost.with
        const figure = rule && figures[rules.indexOf(rule)]
        if (!figure) continue
        figure.steps += 1
        figure.usd += cost.with - cost.without
      }
  }
  const { sessions, steps, leftOut, recorded, without, with: withRules } = sums
  const usd = (value: number) => (sessions === 0 ? null : value)
  return {
    sessions,
    steps,
    leftOut,
    recordedUsd: usd(recorded),
    withoutUsd: usd(without),
    withUsd: usd(withRules),
    switchUsd: usd(withRules - without - figures.reduce((sum, figure) => sum + figure.usd, 0)),
    rules: figures.map((figure) => ({ ...figure, usd: figure.rule.model === '' ? null : usd(figure.usd) })),
  }
}

/** The steps of each conversation of a session, with the rule for each. Null without requests or times. */
function stepsOf(session: Session, archive: ReturnType<typeof openSessions>, rules: readonly StepRule[]): Step[][] | null {
  const requests = archive.requests(session.no)
  if (requests.length === 0 || requests.some(({ at }) => at === null)) return null
  const types = new Map(session.subagents.map(({ id, type }) => [id, type]))
  const begins = archive.turns(session.no).flatMap(({ agent, at }) => (agent === 'main' ? [at] : []))
  return [...Map.groupBy(requests, ({ agent }) => agent)].map(([agent, own]) => {
    let next = 0
    return own.map((request) => {
      const { at } = request
      const isFirst = agent === 'main' && next < begins.length && begins[next]! <= at!
      while (next < begins.length && begins[next]! <= at!) next += 1
      const when = agent !== 'main' ? 'subagent' : isFirst ? 'turn_start' : 'turn_rest'
      return { request: request as Step['request'], rule: ruleFor(rules, when, types.get(agent) ?? null) } // none is without a time
    })
  })
}
