import { expect, test } from 'vitest'
import { DatasetRecipe } from '#contracts/entities/dataset.ts'
import { chooseSessions } from './choose.ts'

const choose = (recipe: Record<string, unknown>, tags: Record<string, string[]>, families: [string, string][] = []) =>
  chooseSessions(DatasetRecipe.parse({ kind: 'sft', ...recipe }), {
    ids: async () => Object.keys(tags),
    trace: (id) => ({ quality: 1, tags: tags[id]!, unverified: tags[id]!.includes('unverified gold') }),
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

test('what goes in is what comes out and what was dropped, also where a recipe names sessions that are not there or none at all', async () => {
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
