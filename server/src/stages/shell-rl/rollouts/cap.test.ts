import { describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { useServer, useStub } from '#server/testing/use.ts'

const KEY = 'sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaa'

describe.skipIf(findBubblewrap() === null)('the cost limit of a set of rollouts', () => {
  const paid = { usd: 0 }
  /** Charges the whole limit of each answer. */
  const stub = useStub(({ body }) => {
    paid.usd += (100 * 1 + body.max_tokens * 5) / 1e6
    return { text: 'true', usage: { input: 100, output: body.max_tokens } }
  })
  const server = useServer(() => ({
    providers: { augmentation: null, nimEndpoint: null, anthropicBaseUrl: stub.url, keys: { anthropic: KEY, nim: null } },
  }))

  it('holds while many episodes ask at once', async () => {
    const task = { task: 'Do nothing.', setup: [], check: 'true', difficulty: 1 }
    const endpoint = { kind: 'provider', provider: 'anthropic', model: 'claude-haiku-4-5-20251001' } as const
    const maxCostUsd = 0.05
    const request = { tasks: [task], endpoint, rolloutsPerTask: 8, concurrency: 8, maxCostUsd }
    const plan = await server.client.planRollouts({ body: request })
    expect(plan.privacy).toMatch(/go to Anthropic \(127\.0\.0\.1:\d+\)\. Secrets and personal data in them are replaced first/)
    const { id } = await server.client.createRollouts({ body: request })
    const get = () => server.client.getRollouts({ params: { id }, query: {} })
    await expect.poll(async () => (await get()).state, { timeout: 120_000 }).toBe('stopped')
    const { detail, costUsd } = await get()
    expect(detail).toBe('Its episodes reached the cost limit of $0.05.')
    expect(paid.usd).toBeGreaterThan(0.01)
    expect(paid.usd).toBeLessThanOrEqual(maxCostUsd)
    expect(costUsd).toBeCloseTo(paid.usd, 9)
  })
})
