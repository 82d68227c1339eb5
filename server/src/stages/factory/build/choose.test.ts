import { expect, test } from 'vitest'
import { DatasetRecipe } from '#contracts/entities/dataset.ts'
import type { Tier } from '#contracts/entities/common.ts'
import { chooseSessions, countSessions } from './choose.ts'

const choose = (recipe: Record<string, unknown>, tags: Record<string, string[]>, families: [string, string][] = []) =>
  chooseSessions(DatasetRecipe.parse({ kind: 'sft', ...recipe }), {
    ids: async () => Object.keys(tags),
    trace: (id) => ({ quality: 1, tier: 'gold', tags: tags[id]!, unverified: tags[id]!.includes('unverified gold') }),
    families: async () => families,
  })

test('a session with the tag held-out, and whatever shares its records, is left out with that reason', async () => {
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

test('what goes in is what comes out and what was dropped, also when a recipe names sessions that are not there or none at all', async () => {
  const adds = async (recipe: Record<string, unknown>) => {
    const { stage } = await choose(recipe, { a: [], b: ['held-out'], c: [] })
    return [stage.in, stage.out, stage.dropped.reduce((sum, { count }) => sum + count, 0)]
  }
  const gone = 'z'.repeat(26)
  expect(await adds({ traceIds: [gone] })).toEqual([4, 0, 4])
  expect(await adds({ include: ['rows'] })).toEqual([0, 0, 0])
})

test('without the tag all are taken', async () => {
  expect((await choose({}, { a: [], b: ['mine'] }, [['a', 'b']])).ids).toEqual(['a', 'b'])
})

test('gold without verification is left out and counted, unless the recipe asks for it or names the session', async () => {
  const tags = { a: [], b: ['unverified gold'], c: ['unverified gold'] }
  const { ids, stage } = await choose({ tiers: ['gold'] }, tags)
  expect(ids).toEqual(['a'])
  expect(stage.dropped).toEqual([{ reason: 'unverified', count: 2 }])
  expect((await choose({ tiers: ['gold'], unverified: true }, tags)).ids).toEqual(['a', 'b', 'c'])
})

test('before a build its sessions are counted: those left out by their tier, a missing check or their quality', async () => {
  const tiers: Record<string, Tier> = { a: 'gold', b: 'silver', c: 'bronze', d: 'pending', e: 'gold', f: 'gold' }
  const ids = Object.keys(tiers)
  const from = {
    ids: async ({ tier }: { tier?: Tier[] | undefined }) => ids.filter((id) => tier === undefined || tier.includes(tiers[id]!)),
    trace: (id: string) => ({ quality: id === 'f' ? 0.4 : 1, tier: tiers[id]!, tags: [], unverified: id === 'e' }),
    families: async () => [],
  }
  const count = (recipe: object) => countSessions(DatasetRecipe.parse({ kind: 'sft', ...recipe }), from)
  const plan = await count({ tiers: ['gold', 'silver'], minQuality: 0.5 })
  expect(plan).toMatchObject({ matching: 6, sessions: 2, tiers: [{ tier: 'gold', count: 1 }, { tier: 'silver', count: 1 }] }) // prettier-ignore
  expect(new Map(plan.left.map(({ reason, count }) => [reason, count]))).toEqual(
    new Map([['bronze', 1], ['pending', 1], ['unverified', 1], ['quality below 0.5', 1]]), // prettier-ignore
  )
})
