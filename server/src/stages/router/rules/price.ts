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

interface Priced {
  rule: StepRule | undefined
  without: number
  with: number
}

/** What the steps of one conversation would have cost, each with its own model and with that of its rule; null if that is not known. */
export function priceSteps(steps: readonly Step[], prices: readonly OwnPrice[]): Priced[] | null {
  const life = lifeOf(steps.map(({ request }) => request))
  const isCached = steps.some(({ request: { cacheRead, cacheWrite } }) => (cacheRead ?? 0) + (cacheWrite ?? 0) > 0)
  const caches = { without: createCache(life), with: createCache(life) }
  const priced: Priced[] = []
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
    priced.push({ rule, without, with: withRule })
  }
  return priced
}

/** What the newest sessions would have cost with these rules. */
export function priceRules(db: Database, { rules, prices }: Omit<PriceInput, 'database'>): RulesPriced {
  const archive = openSessions(db)
  const figures = new Map(rules.map((rule) => [rule, { rule, steps: 0, usd: 0 }]))
  const sums = { sessions: 0, steps: 0, leftOut: 0, recorded: 0, without: 0, with: 0 }
  for (const session of archive.all()) {
    if (sums.sessions === SESSIONS) break
    const conversations = stepsOf(session, archive, rules)?.map((steps) => priceSteps(steps, prices))
    const priced = conversations?.flatMap((steps) => steps ?? [])
    if (!priced || session.costUsd === null || conversations?.includes(null)) {
      sums.leftOut += 1
      continue
    }
    sums.sessions += 1
    sums.recorded += session.costUsd
    sums.steps += priced.length
    for (const { rule, without, with: withRule } of priced) {
      sums.without += without
      sums.with += withRule
      const figure = rule && figures.get(rule)
      if (!figure) continue
      figure.steps += 1
      figure.usd += withRule - without
    }
  }
  const { sessions, steps, leftOut, recorded, without, with: withRules } = sums
  const usd = (value: number) => (sessions === 0 ? null : value)
  const ofRules = [...figures.values()]
  return {
    sessions,
    steps,
    leftOut,
    recordedUsd: usd(recorded),
    withoutUsd: usd(without),
    withUsd: usd(withRules),
    switchUsd: usd(withRules - without - ofRules.reduce((sum, figure) => sum + figure.usd, 0)),
    rules: ofRules.map((figure) => ({ ...figure, usd: figure.rule.model === '' ? null : usd(figure.usd) })),
  }
}

/** The steps of each conversation of a session, with the rule for each. Null without requests or times. */
function stepsOf(session: Session, archive: ReturnType<typeof openSessions>, rules: readonly StepRule[]): Step[][] | null {
  const all = archive.requests(session.no)
  const requests = all.filter((request): request is Step['request'] => request.at !== null)
  if (all.length === 0 || requests.length < all.length) return null
  const types = new Map(session.subagents.map(({ id, type }) => [id, type]))
  const turns = archive.turns(session.no).filter(({ agent }) => agent === 'main')
  return [...Map.groupBy(requests, ({ agent }) => agent)].map(([agent, own]) => {
    let before = -Infinity
    return own.map((request) => {
      const begins = turns.some(({ at }) => at > before && at <= request.at)
      before = request.at
      const when = agent !== 'main' ? 'subagent' : begins ? 'turn_start' : 'turn_rest'
      return { request, rule: ruleFor(rules, when, types.get(agent) ?? null) }
    })
  })
}
