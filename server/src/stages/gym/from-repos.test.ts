import { afterAll, expect, test } from 'vitest'
import { AppError } from '#contracts/errors.ts'
import type { DatasetRecipe } from '#contracts/entities/dataset.ts'
import { openGym } from './testing-gym.ts'

const asked: DatasetRecipe[] = []
let rows = 0
const gym = await openGym({
  deps: {
    datasets: {
      get: (id) => {
        throw new AppError('dataset_not_found', { message: `the run asks for ${id}` })
      },
      folder: () => '',
      build(recipe) {
        asked.push(recipe)
        return gym.core.jobs.start('dataset', async () => ({
          id: 'ds_of_repos',
          name: 'sft',
          version: 1,
          kind: recipe.kind,
          counts: { sessions: 1, segments: 1, examples: rows, train: rows, val: 0, test: 0 },
          excluded: [{ reason: 'not gold', count: 3 }],
          tokens: null,
          redactions: {},
          duplicates: 0,
          contaminated: 0,
          files: [],
          seed: 42,
          ms: 1,
        }))
      },
    },
  },
})
afterAll(() => gym.close())
const start = (selectedRepos: string[], more: object = {}) => {
  const { file: _file, ...request } = gym.request({ steps: 1 }, more)
  return gym.client.startRun({ body: { ...request, selectedRepos } })
}

test('a run starts from the gold sessions of some repositories, or of all', async () => {
  rows = 5
  await expect(start(['shop', 'api'])).rejects.toThrow('the run asks for ds_of_repos')
  await expect(start([])).rejects.toThrow('the run asks for ds_of_repos')
  await expect(start([], { strategy: 'dpo' })).rejects.toThrow('the run asks for ds_of_repos')
  expect(asked.map(({ kind, tiers, repos }) => ({ kind, tiers, repos }))).toEqual([
    { kind: 'sft', tiers: ['gold'], repos: ['shop', 'api'] },
    { kind: 'sft', tiers: ['gold'], repos: undefined },
    { kind: 'dpo', tiers: [], repos: undefined },
  ])
})

test('nothing to train on, and two kinds of data at once, are refused', async () => {
  rows = 0
  await expect(start(['shop'])).rejects.toMatchObject({ code: 'run_refused', message: expect.stringContaining('3 not gold') })
  await expect(gym.client.startRun({ body: { ...gym.request({ steps: 1 }), selectedRepos: [] } })).rejects.toMatchObject({
    code: 'invalid_request',
  })
})
