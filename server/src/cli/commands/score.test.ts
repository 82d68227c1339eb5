import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Trace } from '#contracts/entities/trace.ts'
import { formatScore } from '#contracts/score-figure.ts'
import { tierOf } from '#server/stages/scoring/tiers.ts'
import type { Command, Connection, Context } from '../command.ts'
import { scoreCommand } from './score.ts'
import { traces } from './traces.ts'

const value = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.tuple(fc.constantFrom(0.4, 0.55, 0.6, 0.75, 0.9), fc.constantFrom(0, -1e-12, -1e-4, 1e-4)).map(([bound, off]) => bound + off),
)

/** The text output of a command. */
async function printed(command: Command, context: Partial<Context>): Promise<string> {
  let text = ''
  await command.run({ values: {}, args: [], out: (_, forPeople) => (text = forPeople()), ...context } as Context) // all that these two commands use
  return text
}

test('the list, the command score and the tier reason format quality and success rate the same way', async () => {
  await fc.assert(
    fc.asyncProperty(value, value, async (quality, successRate) => {
      const { tier, reason } = tierOf('thresholds', {
        quality,
        successRate,
        verification: { state: 'none', decidedBy: [], open: false, red: false, override: null },
      })
      expect(reason).toContain(`success ${formatScore(successRate)} and quality ${formatScore(quality)}`)
      expect(Number(formatScore(quality)) >= 0.75 && Number(formatScore(successRate)) >= 0.9).toBe(tier === 'gold')

      const metrics = { successRate, verification: 0.5, complexity: 0, length: 0, toolDiversity: 0, efficiency: 0 }
      const document = { metrics, quality, tier, policy: 'thresholds' as const, scoreVersion: 1, evidence: [] }
      const file = await printed(
        scoreCommand(() => Promise.resolve(document as never)),
        { args: [import.meta.filename] },
      ) // what other rules add is not printed here
      expect(file).toContain(`quality ${formatScore(quality)} ·`)
      expect(file).toMatch(new RegExp(`^successRate +${formatScore(successRate)}$`, 'm'))

      const item = { id: 'a', tier, quality, verification: 'none', counts: { toolCalls: 1 }, costUsd: null, repo: null, title: null }
      const client = { listTraces: () => Promise.resolve({ items: [item as unknown as Trace], nextCursor: null, total: 1 }) }
      const list = await printed(traces, { connect: () => Promise.resolve({ client } as unknown as Connection) })
      expect(list).toMatch(new RegExp(`${tier} +${formatScore(quality)} `))
    }),
    { numRuns: 300 },
  )
})
