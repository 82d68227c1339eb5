import path from 'node:path'
import { expect, it } from 'vitest'
import { AppError } from '#contracts/errors.ts'
import { createLocalEngine } from '#server/adapters/engine/index.ts'
import { newFolder } from '#server/testing/folders.ts'
import { killAt } from '#server/testing/killed.ts'
import { NOTHING_YET } from './live.ts'
import { openGym, upTo } from './testing-gym.ts'

const PROGRAM = path.join(import.meta.dirname, 'testing-killed.ts')

it('after a kill during training, the app follows the run again and stores each point once', async () => {
  const dataDir = newFolder()
  const [id] = (await killAt(PROGRAM, [dataDir, 'training'], (_, index) => index === 2)) as [string] // the second line is printed at step 30

  const gym = await openGym({ dataDir })
  try {
    expect(gym.gym.run(id)).toMatchObject({ state: 'running', totalSteps: 250 })
    gym.release(id)
    await gym.until(id, 'completed')
    const { series } = await gym.client.getRunMetrics({ params: { id }, query: { names: ['loss', 'tokens_per_sec'], points: 1000 } })
    const steps = upTo(250)
    expect(series.map((one) => one.steps)).toEqual([steps, steps])
    expect(series[0]!.last).toEqual(steps.map((step) => 10 / step))
    expect(gym.gym.run(id).warnings).toMatchObject([{ message: expect.stringMatching(/^1 line of events/) as string }])
    const { lines: log } = await gym.client.getRunLogs({ params: { id } })
    expect(log.filter(({ text }) => text === 'a line on standard error')).toHaveLength(1)
  } finally {
    await gym.close()
  }
})

it('after a kill between the start of a trainer and storing its handle, the app finds the trainer', async () => {
  const dataDir = newFolder()
  await killAt(PROGRAM, [dataDir, 'starting'], () => false) // it kills itself
  const gym = await openGym({ dataDir })
  try {
    const { items } = await gym.client.listRuns()
    expect(items.map((run) => [run.state, run.error])).toEqual([[expect.stringMatching(/preparing|running/) as string, null]])
    const run = items[0]!.id
    gym.release(run)
    await gym.until(run, 'completed')
    const { series } = await gym.client.getRunMetrics({ params: { id: run }, query: { names: ['loss'] } })
    expect(series[0]!.steps).toEqual(upTo(60))
  } finally {
    await gym.close()
  }
})

it('after a kill, the app continues with the running run and then starts the queued ones in order', async () => {
  const dataDir = newFolder()
  const ids = (await killAt(PROGRAM, [dataDir, 'queue'], (line) => line.includes(' '))).at(-1)!.split(' ')
  expect(ids).toHaveLength(3)
  const gym = await openGym({ dataDir })
  try {
    expect((await gym.client.getQueue()).order).toEqual(ids.slice(1))
    expect(ids.map((id) => gym.gym.run(id).state)).toEqual(['running', 'queued', 'queued'])
    for (const id of ids) gym.release(id)
    await Promise.all(ids.map((id) => gym.until(id, 'completed')))
    const starts = ids.map((id) => gym.gym.run(id).startedAt!)
    expect(starts).toEqual(starts.toSorted())
    for (const id of ids) {
      const { series } = await gym.client.getRunMetrics({ params: { id }, query: { names: ['loss'] } })
      expect(series[0]!.steps).toEqual(upTo(60))
    }
  } finally {
    await gym.close()
  }
})

/** A data directory in which a trainer ran to its end after the app was killed before storing its handle. */
async function endedUnseen(): Promise<{ dataDir: string; id: string }> {
  const before = await openGym()
  const { id } = await before.client.startRun({ body: before.request({ steps: 20 }) })
  await before.until(id, 'completed')
  await before.close({ keep: true })
  const { dataDir } = before.core.config
  const gym = await openGym({ dataDir })
  for (const table of ['run_lines', 'run_blocks', 'run_system', 'run_samples', 'run_checkpoints']) gym.core.db.exec(`DELETE FROM ${table}`)
  gym.core.db
    .prepare(`UPDATE runs SET state = 'preparing', handle = NULL, ended_at = NULL, live = ? WHERE id = ?`)
    .run(JSON.stringify(NOTHING_YET), id)
  await gym.close({ keep: true })
  return { dataDir, id }
}

it('reads from its files how a trainer ended while the app was not running', async () => {
  const { dataDir, id } = await endedUnseen()
  const gym = await openGym({ dataDir })
  expect(gym.gym.run(id)).toMatchObject({ state: 'completed', step: 20, error: null })
  await gym.close()
})

it('starts although the engine cannot be asked about running trainers, and asks again later', async () => {
  const { dataDir, id } = await endedUnseen()
  const local = createLocalEngine()
  let findCalls = 0
  const gym = await openGym({
    dataDir,
    deps: {
      engines: {
        local: {
          ...local,
          find: (job) =>
            (findCalls += 1) === 1 ? Promise.reject(new AppError('training_unavailable', { message: 'away' })) : local.find(job),
        },
      },
    },
  })
  expect(gym.gym.run(id).state).toBe('preparing')
  await gym.until(id, 'completed')
  expect(findCalls).toBe(2)
  await gym.close()
})
