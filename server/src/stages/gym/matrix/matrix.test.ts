import fs from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openGym, type TestGym } from '../testing-gym.ts'

let gym: TestGym
beforeAll(async () => {
  gym = await openGym()
})
afterAll(() => gym.close())

const folders = () => (fs.existsSync(gym.core.paths.models) ? fs.readdirSync(gym.core.paths.models) : [])

it('trains each combination as a separate run named after its values, once per idempotency key', async () => {
  const other = gym.request({ steps: 3 }).baseModel
  const base = gym.request({ steps: 3 }, { name: 'sweep', settings: { epochs: 1 } })
  const axes = { baseModel: [base.baseModel, other], learningRate: [1e-5, 3e-4], 'method.rank': [8] }
  const plan = await gym.client.planMatrix({ body: { ...base, axes } })
  expect(plan).toMatchObject({ startable: 4, seconds: null }) // nothing was measured on this machine yet
  expect(plan.runs.map(({ name }) => name)).toEqual([
    'sweep: model-2, learningRate 0.00001, method.rank 8',
    'sweep: model-2, learningRate 0.0003, method.rank 8',
    'sweep: model-1, learningRate 0.00001, method.rank 8',
    'sweep: model-1, learningRate 0.0003, method.rank 8',
  ])
  expect(folders()).toEqual([])

  const body = { ...base, axes, idempotencyKey: 'one-matrix' }
  const matrix = await gym.client.startMatrix({ body })
  expect(matrix.runs.map(({ name }) => name)).toEqual(plan.runs.map(({ name }) => name))
  for (const { id } of matrix.runs) await gym.until(id, 'completed')
  const again = await gym.client.startMatrix({ body })
  expect(again).toEqual(await gym.client.getMatrix({ params: { id: matrix.id } }))
  expect(again.runs.map(({ settings, matrix: own }) => [settings.learningRate, settings.epochs, settings.method, own])).toEqual(
    plan.runs.map(({ values }) => [
      values['learningRate'],
      1,
      expect.objectContaining({ kind: 'lora', rank: 8 }) as object,
      { id: matrix.id, values },
    ]),
  )
  const measured = await gym.client.planMatrix({ body: { ...base, axes } })
  const total = measured.runs.reduce((sum, { seconds }) => sum + seconds!.low, 0)
  expect(measured.seconds!.low).toBeCloseTo(total)
})

it('starts no run if one is refused, unless refused runs are skipped', async () => {
  const base = gym.request({ steps: 1 })
  const axes = { baseModel: [base.baseModel, '/no/such/model'] }
  const plan = await gym.client.planMatrix({ body: { ...base, axes } })
  expect(plan.startable).toBe(1)
  expect(plan.runs.map(({ refusals }) => refusals.map(({ code }) => code))).toEqual([[], ['base_model_not_found']])
  const before = folders()
  await expect(gym.client.startMatrix({ body: { ...base, axes } })).rejects.toMatchObject({
    code: 'run_refused',
    message: expect.stringContaining('1 of 2 runs would fail, so none was started. model:') as string,
  })
  expect(folders()).toEqual(before)
  const { runs } = await gym.client.startMatrix({ body: { ...base, axes, skipRefused: true } })
  expect(runs.map(({ matrix }) => matrix?.values)).toEqual([{ baseModel: base.baseModel }])
  await gym.until(runs[0]!.id, 'completed')
})

it('cancels queued and running runs, and leaves ended ones', async () => {
  const base = gym.request({ steps: 40, holdAt: [5] })
  const { id, runs } = await gym.client.startMatrix({ body: { ...base, axes: { seed: [1, 2, 3] } } })
  const [first, second, third] = runs.map((run) => run.id) as [string, string, string]
  await gym.untilStep(first, 5)
  gym.release(first)
  await gym.until(first, 'completed')
  await gym.untilStep(second, 5)
  const { runs: left } = await gym.client.cancelMatrix({ params: { id }, body: {} })
  expect(left.map(({ state }) => state)).toEqual(['completed', 'cancelled', 'cancelled'])
  expect(gym.gym.run(third).startedAt).toBeNull()
})

it.each([
  [{ learningRat: [1] }, 'learningRat'],
  [{ learningRate: ['fast'] }, 'learningRate fast cannot be tried'],
  [{ seed: [1, 1] }, 'twice'],
  [{ seed: [1, 2, 3, 4, 5, 6], epochs: [1, 2, 3, 4, 5, 6] }, 'At most 32 combinations'],
  [{}, 'at least one setting'],
])('names the problem of the axes %o', async (axes, words) => {
  const response = gym.client.planMatrix({ body: { ...gym.request({ steps: 1 }), axes } })
  await expect(response).rejects.toMatchObject({ code: 'invalid_request' })
  const { message, details } = (await response.catch((error: unknown) => error)) as { message: string; details: unknown }
  expect(message + JSON.stringify(details ?? null)).toContain(words)
})
