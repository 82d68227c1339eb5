import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openGym, type TestGym, upTo } from './testing-gym.ts'

let gym: TestGym
beforeAll(async () => {
  gym = await openGym()
})
afterAll(() => gym.close())

it('reports a killed trainer, and resumes from its checkpoint without duplicate points', async () => {
  const play = { steps: 30, end: 'kill', at: 17, saveEvery: 5, once: true } as const
  const { id } = await gym.client.startRun({ body: gym.request(play) })
  await gym.until(id, 'failed')
  const failed = await gym.client.getRun({ params: { id } })
  expect(failed).toMatchObject({
    canResume: true,
    step: 17,
    error: { code: 'killed', message: expect.stringContaining('SIGKILL') as string },
  })
  expect(failed.error!.logTail).toContain('a line on standard error')
  expect(gym.core.messages.filter(({ type, payload }) => type === 'training:failed' && payload.runId === id)).toHaveLength(1)
  // real trainers cut off an incomplete line, the fake one does not
  const file = path.join(failed.folder, 'events.jsonl')
  const text = fs.readFileSync(file, 'utf8')
  fs.truncateSync(file, Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1)))
  await gym.client.resumeRun({ params: { id } })
  await gym.until(id, 'completed')
  expect(await gym.stepsOf(id)).toEqual(upTo(30))
  expect(gym.gym.run(id).error).toBeNull()
})

it('skips an invalid event, and keeps a gap for a value that is not finite', async () => {
  const { id } = await gym.client.startRun({ body: gym.request({ steps: 8, garbageAt: 4, nanAt: 6 }) })
  await gym.until(id, 'completed')
  const [series] = (await gym.client.getRunMetrics({ params: { id }, query: { names: ['loss'] } })).series
  expect(series).toMatchObject({ steps: upTo(8), notFinite: [6] })
  expect(series!.last.map((value) => value === null)).toEqual(upTo(8).map((step) => step === 6))
  expect(gym.gym.run(id).warnings).toMatchObject([{ code: 'events_unreadable' }])
})

it.each([
  ['failed', { code: 'row_invalid', message: 'Row 3 has no messages.', row: 3 }],
  ['exit', { code: 'ended', message: expect.stringContaining('exited with code 3') as string }],
] as const)('reports why the trainer failed: %s', async (end, error) => {
  const { id } = await gym.client.startRun({ body: gym.request({ steps: 5, at: 2, end }) })
  await gym.until(id, 'failed')
  expect(gym.gym.run(id)).toMatchObject({ error, endedAt: expect.any(String) as string })
})

it('reports why a trainer could not be started', async () => {
  const other = await openGym({ deps: { python: async () => ({ program: '/nowhere/python', env: {} }) } })
  const { id } = await other.client.startRun({ body: other.request({ steps: 1 }) })
  await other.until(id, 'failed')
  const { error } = other.gym.run(id)
  expect(error).toMatchObject({ code: 'training_unavailable', message: expect.stringContaining("Couldn't start the trainer") as string })
  await other.close()
})

it('reports a hanging trainer as stalled until it is cancelled', async () => {
  let late = 0
  const other = await openGym({ now: () => Date.now() + late })
  const { id } = await other.client.startRun({ body: other.request({ steps: 9, at: 6, end: 'hang' }) })
  await other.untilStep(id, 6)
  expect(other.gym.run(id).health).toEqual([])
  const healthCodes = new Promise<string[]>((resolve) => {
    other.core.events.subscribe(({ type, payload }) => {
      if (type === 'training:changed' && payload.run.health.length > 0) resolve(payload.run.health.map(({ code }) => code))
    })
  })
  late = 61_000
  expect(await healthCodes).toEqual(['stalled'])
  expect(other.gym.run(id)).toMatchObject({ state: 'running', health: [{ step: 6, evidence: { allowedSec: 60 } }] })
  await other.client.patchQueue({ body: { paused: true } })
  const waiting = await other.client.startRun({ body: other.request({ steps: 1 }) })
  expect(other.gym.stage.figures!()).toEqual({
    runs: { total: 2, byState: { running: 1, queued: 1 } },
    queue: { waiting: 1, paused: true },
  })
  expect(other.gym.stage.checks!()).toEqual({ runs: 'stalled', queue: 'paused' })
  await other.client.cancelRun({ params: { id: waiting.id }, body: {} })
  expect(await other.client.cancelRun({ params: { id }, body: {} })).toMatchObject({ state: 'cancelled', health: [] })
  await other.close()
})
