import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import WebSocket from 'ws'
import { createApp, inProcessClient } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { percentile, report } from './support/report.ts'

/**
 * Time of a step over the WebSocket of an environment server (median at most 3 ms), compared with the same command called
 * directly in the sandbox in the same run; and 64 sessions at once.
 *
 *     npm run bench -- environments
 */
const STEP_MS = 3
const STEPS = 300
const SESSIONS = 64
const STEPS_EACH = 20

type Ask = (message: object) => Promise<{ data: { done: boolean } }>

async function open(url: string, token: string): Promise<{ ask: Ask; close: () => void }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { authorization: `Bearer ${token}` } })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const ask: Ask = (message) =>
    new Promise((resolve) => {
      socket.once('message', (data: Buffer) => resolve(JSON.parse(data.toString()) as Awaited<ReturnType<Ask>>))
      socket.send(JSON.stringify(message))
    })
  return { ask, close: () => socket.close() }
}
const STEP = { type: 'step', data: { type: 'call_tool', tool_name: 'terminal', arguments: { command: 'echo hi' } } }
const timed = async (work: () => Promise<unknown>) => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-bench-environments-'))
const sandboxes = { running: SESSIONS + 1, queue: SESSIONS }
const app = await createApp(loadConfig({ dataDir: path.join(folder, 'home'), sandboxes }, { HOME: folder, PATH: process.env['PATH'] }), {
  kind: 'command',
})
await app.start({ watch: false })
const client = inProcessClient(app)
const { url, token } = await client.startEnvironment({ body: { maxSessions: SESSIONS } })

const one = await open(url, token)
await one.ask({ type: 'reset' })
const { id } = await client.createSandbox({ body: { tty: false } })
await client.startSandbox({ params: { id } })
const times: Record<'step' | 'exec', number[]> = { step: [], exec: [] }
for (let n = 0; n < STEPS; n += 1) {
  times.step.push(await timed(() => one.ask(STEP)))
  times.exec.push(await timed(() => client.execInSandbox({ params: { id }, body: { command: 'echo hi' } })))
}
one.close()
await client.stopSandbox({ params: { id }, body: { remove: true } })

const begin = performance.now()
const all = await Promise.all(Array.from({ length: SESSIONS - 1 }, () => open(url, token)))
await Promise.all(all.map(({ ask }) => ask({ type: 'reset' })))
const ready = performance.now() - begin
const together: number[] = []
const busy = await timed(() =>
  Promise.all(
    all.map(async ({ ask }) => {
      for (let n = 0; n < STEPS_EACH; n += 1) together.push(await timed(() => ask(STEP)))
    }),
  ),
)
for (const { close } of all) close()
await app.close()
fs.rmSync(folder, { recursive: true, force: true })

const ms = (value: number) => `${value.toFixed(1)} ms`
const figures = (values: readonly number[]) => ({ p50: percentile(values, 0.5), p95: percentile(values, 0.95) })
const found = {
  step: figures(times.step),
  exec: figures(times.exec),
  together: figures(together),
  ready,
  stepsPerSecond: (together.length / busy) * 1000,
}
report(
  'environments',
  [
    { what: 'step over the WebSocket, p50', figure: ms(found.step.p50), limit: `≤ ${STEP_MS} ms`, met: found.step.p50 <= STEP_MS },
    { what: 'step over the WebSocket, p95', figure: ms(found.step.p95), limit: '–', met: null },
    { what: 'the same command in process, p50', figure: ms(found.exec.p50), limit: '–', met: null },
    { what: `${all.length} sessions reset at once`, figure: ms(found.ready), limit: '–', met: null },
    { what: `a step of ${all.length} at once, p50`, figure: ms(found.together.p50), limit: '–', met: null },
    { what: 'steps a second then', figure: found.stepsPerSecond.toFixed(0), limit: '–', met: null },
  ],
  found,
)
