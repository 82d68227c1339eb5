import { expect, test } from 'vitest'
import { STATISTICS, type StatisticsFunction } from '#contracts/entities/statistics.ts'
import { startTestServer } from '#server/testing/server.ts'
import { computeStatistics } from './statistics.ts'

const INPUTS: Record<StatisticsFunction, object> = {
  pass_at_k: { n: 10, c: 3, k: 5 },
  wilson: { n: 10, c: 7 },
  mcnemar: { b: 1, c: 9 },
  clustered: { groups: [[1, 1], [0], [1, 0]] },
  paired: { base: [1, 0, 1], candidate: [1, 1, 0], clusters: ['a', 'a', 'b'] },
  bootstrap: { groups: [[0.4, 0.6], [0.1]], seed: 7, resamples: 100 },
  holm: { p: [0.01, 0.04] },
  kappa: { a: [1, 2, 3], b: [1, 2, 2], weights: 'quadratic' },
  alpha: { raters: [[1, 2, null], [1, 3, 3]], level: 'ordinal' }, // prettier-ignore
  noninferiority: { n: 200, b: 9, c: 7 },
  power: { psi: 0.2, delta: 0.05 },
}

test('every function of the API gives what the command line computes without a server, and refuses what cannot be', async () => {
  const server = await startTestServer()
  const ask = (name: string, body: object) =>
    fetch(`${server.url}/api/statistics/${name}`, {
      method: 'POST',
      headers: { authorization: server.authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  for (const name of Object.keys(STATISTICS) as StatisticsFunction[]) {
    const answer = await ask(name, INPUTS[name])
    expect(await answer.json()).toEqual(computeStatistics(name, INPUTS[name]))
  }
  const refused = await ask('pass_at_k', { n: 2, c: 1, k: 5 })
  expect(refused.status).toBe(400)
  expect(JSON.stringify(await refused.json())).toContain('c and k must not be larger than n')
  await server.close()
})

test('nothing to compute from gives null, never a number', () => {
  expect(computeStatistics('bootstrap', { groups: [[]] })).toEqual({ mean: null, low: null, high: null })
  expect(computeStatistics('clustered', { groups: [] })).toMatchObject({ mean: null, se: null })
})
