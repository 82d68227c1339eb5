import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { openGym } from './testing-gym.ts'

it('killed in the middle, the app finds the run at work and misses no point of it, nor takes one twice', { timeout: 60_000 }, async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-killed-'))
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'testing-killed.ts'), home], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [id] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
  expect(child.signalCode).toBe('SIGKILL')

  const gym = await openGym({ home })
  try {
    expect(gym.gym.run(id)).toMatchObject({ state: 'running', totalSteps: 250 })
    await gym.until(id, 'completed')
    const { series } = await gym.client.getRunMetrics({ params: { id }, query: { names: ['loss', 'tokens_per_sec'], points: 1000 } })
    const steps = Array.from({ length: 250 }, (_, at) => at + 1)
    expect(series.map((one) => one.steps)).toEqual([steps, steps])
    expect(series[0]!.last).toEqual(steps.map((step) => 10 / step))
    expect(gym.gym.run(id).warnings).toMatchObject([{ message: expect.stringMatching(/^1 line of events/) as string }])
    const { lines } = await gym.client.getRunLogs({ params: { id } })
    expect(lines.filter(({ text }) => text === 'a line on standard error')).toHaveLength(1)
  } finally {
    await gym.close()
  }
})
