import { expect, test } from 'vitest'
import { DatasetRecipe } from '#contracts/entities/dataset.ts'
import type { Tier } from '#contracts/entities/common.ts'
import { chooseSessions, countSessions } from './choose.ts'

/** Facts of a session of the user's own work. */
const OWN = { tierSource: 'policy' as const, taskId: null, models: [] }

const choose = (recipe: Record<string, unknown>, tags: Record<string, string[]>, families: [string, string][] = []) =>
  chooseSessions(DatasetRecipe.parse({ kind: 'sft', ...recipe }), {
    ids: async () => Object.keys(tags),
    trace: (id) => ({
      quality: 1,
      tier: tags[id]!.includes('user failed') ? 'failed' : 'gold',
      tierSource: tags[id]!.includes('user failed') ? 'user' : 'policy',
      tags: tags[id]!,
      unverified: tags[id]!.includes('unverified gold'),
      taskId: tags[id]!.includes('run') ? 'task' : null,
      models: ['claude-opus-4-5'],
    }),
    families: async () => families,
  })

test('drops sessions with the tag held-out, and sessions that share records with them', async () => {
  const tags = { a: ['held-out'], b: [], c: [], d: ['held-out-not'], e: [] }
  const { ids, dropped, stage } = await choose({}, tags, [['a', 'b'], ['b', 'c'], ['d', 'e']]) // prettier-ignore
  expect(ids).toEqual(['d', 'e'])
  expect(dropped.map(({ traceId, reason, detail }) => [traceId, reason, detail])).toEqual([
    ['a', 'held-out', null],
    ['b', 'held-out', 'shares records with a'],
    ['c', 'held-out', 'shares records with a'],
  ])
  expect(stage).toMatchObject({ in: 5, out: 2, dropped: [{ reason: 'held-out', count: 3 }] })
})

test('counts every session as kept or dropped, even for unknown sessions or none', async () => {
  const adds = async (recipe: Record<string, unknown>) => {
    const { stage } = await choose(recipe, { a: [], b: ['held-out'], c: [] })
    return [stage.in, stage.out, stage.dropped.reduce((sum, { count }) => sum + count, 0)]
  }
  const unknownId = 'z'.repeat(26)
  expect(await adds({ traceIds: [unknownId] })).toEqual([4, 0, 4])
  expect(await adds({ include: ['rows'] })).toEqual([0, 0, 0])
})

test('drops and counts unverified gold, unless the recipe asks for it', async () => {
  const tags = { a: [], b: ['unverified gold'], c: ['unverified gold'] }
  const { ids, stage } = await choose({ tiers: ['gold'] }, tags)
  expect(ids).toEqual(['a'])
  expect(stage.dropped).toEqual([{ reason: 'unverified', count: 2 }])
  expect((await choose({ tiers: ['gold'], unverified: true }, tags)).ids).toEqual(['a', 'b', 'c'])
})

test('counts the sessions of a recipe, and the excluded ones by tier, verification and quality', async () => {
  const tiers: Record<string, Tier> = { a: 'gold', b: 'silver', c: 'bronze', d: 'pending', e: 'gold', f: 'gold' }
  const ids = Object.keys(tiers)
  const from = {
    ids: async ({ tier }: { tier?: Tier[] | undefined }) => ids.filter((id) => tier === undefined || tier.includes(tiers[id]!)),
    trace: (id: string) => ({ quality: id === 'f' ? 0.4 : 1, tier: tiers[id]!, tags: [], unverified: id === 'e', ...OWN }),
    families: async () => [],
  }
  const count = (recipe: object) => countSessions(DatasetRecipe.parse({ kind: 'sft', ...recipe }), from)
  const plan = await count({ tiers: ['gold', 'silver'], minQuality: 0.5 })
  expect(plan).toMatchObject({ matching: 6, sessions: 2, tiers: [{ tier: 'gold', count: 1 }, { tier: 'silver', count: 1 }] }) // prettier-ignore
  expect(new Map(plan.left.map(({ reason, count }) => [reason, count]))).toEqual(
    new Map([['bronze', 1], ['pending', 1], ['unverified', 1], ['quality below 0.5', 1]]), // prettier-ignore
  )
})

test('leaves out agent runs and what the user set to failed, unless the recipe asks for them', async () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(26)) as [string, string, string, string]
  const tags = { [a]: [], [b]: ['run'], [c]: ['user failed'], [d]: ['run'] }
  const ids = async (recipe: Record<string, unknown>) => (await choose(recipe, tags)).ids
  const { ids: byDefault, stage } = await choose({}, tags)
  expect(byDefault).toEqual([a])
  expect(stage.dropped).toEqual([{ reason: 'agent run', count: 2 }, { reason: 'set to failed by you', count: 1 }]) // prettier-ignore
  expect(await ids({ runs: ['claude-opus-4-5'] })).toEqual([a, b, d])
  expect(await ids({ runs: ['another'] })).toEqual([a])
  expect(await ids({ query: 'is:run' })).toEqual([a, b, d]) // the lookup of this test ignores the query
  expect(await ids({ query: '-is:run' })).toEqual([a])
  expect(await ids({ tiers: ['failed'] })).toContain(c)
  expect(await ids({ kind: 'kto' })).toEqual([a, c])
  expect(await ids({ traceIds: [b, c] })).toEqual([b, c])
})
