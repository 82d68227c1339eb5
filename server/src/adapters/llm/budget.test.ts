import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPurse, type Charge } from './index.ts'
import { requestCost, type Tokens } from '#server/prices/request-cost.ts'

describe('the purse', () => {
  const price = { inputPerMTok: 3, outputPerMTok: 15 }
  const tokens = fc.record({ input: fc.nat(50_000), output: fc.nat(8000) })
  const anyAction = fc.oneof(
    fc.record({ kind: fc.constant('send' as const), most: tokens }),
    fc.record({ kind: fc.constant('answer' as const), which: fc.nat(), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({ kind: fc.constantFrom('release' as const, 'break' as const), which: fc.nat() }),
  )

  it('never exceeds its cap if no request uses more than its reservation, in any order of actions', () => {
    fc.assert(
      fc.property(
        fc.array(anyAction, { maxLength: 60 }),
        fc.double({ min: 0.001, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 200_000 }),
        (actions, usd, maxTokens) => {
          const purse = createPurse({ usd, tokens: maxTokens }, price)
          const openRequests: { charge: Charge; most: Tokens }[] = []
          let paid = 0
          for (const action of actions) {
            if (action.kind === 'send') {
              const charge = purse.reserve(action.most)
              if (charge) openRequests.push({ charge, most: action.most })
            } else if (openRequests.length > 0) {
              const [ended] = openRequests.splice(action.which % openRequests.length, 1) as [(typeof openRequests)[number]]
              if (action.kind === 'answer') {
                const used = { input: Math.floor(ended.most.input * action.share), output: Math.floor(ended.most.output * action.share) }
                paid += used.input + used.output
                purse.settle(ended.charge, used)
              } else if (action.kind === 'release') purse.release(ended.charge)
              else paid += ended.charge.tokens
            }
            expect(purse.overdrawn).toBe(false)
            expect(purse.spent.tokens).toBeLessThanOrEqual(maxTokens)
            expect(purse.spent.tokens).toBe(paid + openRequests.reduce((sum, { charge }) => sum + charge.tokens, 0))
          }
        },
      ),
    )
  })

  it('reports that a provider charged more than reserved', () => {
    const purse = createPurse({ tokens: 100 }, null)
    purse.settle(purse.reserve({ input: 50, output: 10 })!, { input: 500, output: 0 })
    expect([purse.overdrawn, purse.spent]).toEqual([true, { usd: 0, tokens: 500 }])
    expect(requestCost(price, { input: 1_000_000, output: 100_000 })).toBeCloseTo(4.5, 9)
  })

  it('counts cached tokens at the full price, because cache prices may be guessed', () => {
    const cached = { input: 1_000_000, output: 0, cacheRead: 900_000, cacheWrite: null }
    const withCache = { ...price, cacheReadPerMTok: 0.3, cacheWritePerMTok: 3.75 }
    const purse = createPurse({ usd: 10 }, withCache)
    expect(purse.settle({ usd: 0, tokens: 0 }, cached)).toEqual({ usd: 3, tokens: 1_000_000 })
    expect(requestCost(withCache, cached)).toBeCloseTo(0.57, 9)
    expect(requestCost(withCache, { ...cached, cacheWrite: 100_000 })).toBeCloseTo(0.645, 9)
    expect(requestCost(price, cached)).toBeCloseTo(3, 9)
    expect(requestCost(null, cached)).toBeNull()
  })
})
