import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { AppError } from '#contracts/errors.ts'
import { createLocalEngine } from '#server/adapters/engine/index.ts'
import { NOTHING_YET } from './live.ts'
import { openGym } from './testing-gym.ts'

const start = (where: string) => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-killed-'))
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'testing-killed.ts'), dataDir, where], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { dataDir, child }
}
/** Begins runs in its own process and kills that as soon as it has said what it did. The ids of the runs. */
async function killed(where: string): Promise<{ dataDir: string; ids: string[] }> {
  const { dataDir, child } = start(where)
  const closed = once(child, 'close')
  let lastLine = ''
  for await (const line of createInterface({ input: child.stdout })) {
    lastLine = line
    if (where !== 'queue' || line.includes(' ')) child.kill('SIGKILL')
  }
  await closed
  expect(child.signalCode).toBe('SIGKILL')
  return { dataDir, ids: lastLine.split(' ') }
}
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)

it('killed in the middle, the app finds the run at work and misses no point of it, nor takes one twice', async () => {
  const { dataDir, child } = start('training')
  const lines = createInterface({ input: child.stdout })
  const [id] = (await once(lines, 'line')) as [string]
  await once(lines, 'line') // it has seen step 30
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
  expect(child.signalCode).toBe('SIGKILL')

  const gym = await openGym({ dataDir })
  try {
    expect(gym.gym.run(id)).toMatchObject({ state: 'running', totalSteps: 250 })
    gym.letGo(id)
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

it('killed between the start of a trainer and its row, the app finds that trainer again', async () => {
  const { dataDir, child } = start('starting')
  await once(child, 'close')
  expect(child.signalCode).toBe('SIGKILL')
  const gym = await openGym({ dataDir })
  try {
    const { items } = await gym.client.listRuns()
    expect(items.map((run) => [run.state, run.error])).toEqual([[expect.stringMatching(/preparing|running/) as string, null]])
    const run = items[0]!.id
    gym.letGo(run)
    await gym.until(run, 'completed')
    const { series } = await gym.client.getRunMetrics({ params: { id: run }, query: { names: ['loss'] } })
    expect(series[0]!.steps).toEqual(upTo(60))
  } finally {
    await gym.close()
  }
})

it('killed with a queue of runs, the app continues with the one at work and then with the others, in their order', async () => {
  const { dataDir, ids } = await killed('queue')
  expect(ids).toHaveLength(3)
  const gym = await openGym({ dataDir })
  try {
    expect((await gym.client.getQueue()).order).toEqual(ids.slice(1))
    expect(ids.map((id) => gym.gym.run(id).state)).toEqual(['running', 'queued', 'queued'])
    for (const id of ids) gym.letGo(id)
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

/** As if the app had been killed once the trainer had started, before its row was written. */
async function unseen(): Promise<{ dataDir: string; id: string }> {
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

it('a trainer that came to its end unseen is believed: its files say how it ended', async () => {
  const { dataDir, id } = await unseen()
  const gym = await openGym({ dataDir })
  expect(gym.gym.run(id)).toMatchObject({ state: 'completed', step: 20, error: null })
  await gym.close()
})

it('where runs are at work cannot be asked when the app starts: it starts, and asks again', async () => {
  const { dataDir, id } = await unseen()
  const local = createLocalEngine()
  let asked = 0
  const gym = await openGym({
    dataDir,
    deps: {
      engines: {
        local: {
          ...local,
          find: (job) => ((asked += 1) === 1 ? Promise.reject(new AppError('training_unavailable', { message: 'away' })) : local.find(job)),
        },
      },
    },
  })
  expect(gym.gym.run(id).state).toBe('preparing')
  await gym.until(id, 'completed')
  expect(asked).toBe(2)
  await gym.close()
})
