import { fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { createApp, inProcessClient } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { percentile, report } from './support/report.ts'

/**
 * Starts of sandboxes in a process as large as a server with a full archive, alternately with a bare bubblewrap that a small
 * process starts: time until the first response, and for how long a start keeps the thread of the server.
 *
 *     npm run bench -- starts
 */
const STARTS = 60
const LARGE_MB = 256

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-bench-starts-'))
const app = await createApp(loadConfig({ dataDir: path.join(folder, 'here') }, { HOME: folder, PATH: process.env['PATH'] }), {
  kind: 'command',
})
const client = inProcessClient(app)
const large = Array.from({ length: LARGE_MB }, () => Buffer.alloc(1024 * 1024, 1))
const small = fork(path.join(import.meta.dirname, 'support', 'small-starter.ts'), { execArgv: [] })
const bare = async () => {
  small.send('start')
  const [ms] = (await once(small, 'message')) as [number]
  return ms
}

interface Start {
  ms: number
  /** Processor time of the thread, and its longest interruption. */
  busyMs: number
  longestMs: number
}
const delay = monitorEventLoopDelay({ resolution: 1 })
async function ours(tty: boolean): Promise<Start> {
  const { id } = await client.createSandbox({ body: { backend: 'bubblewrap', tty } })
  delay.enable()
  delay.reset()
  const before = process.threadCpuUsage()
  const began = performance.now()
  await client.startSandbox({ params: { id } })
  await client.execInSandbox({ params: { id }, body: { command: 'echo x' } })
  const ms = performance.now() - began
  const { user, system } = process.threadCpuUsage(before)
  delay.disable()
  const longestMs = Math.max(0, delay.max / 1e6 - 1)
  await client.stopSandbox({ params: { id }, body: { remove: true } })
  return { ms, busyMs: (user + system) / 1000, longestMs }
}

await ours(true)
await bare()
const rows = []
const data: Record<string, unknown> = {}
for (const tty of [true, false]) {
  const all: (Start & { bareMs: number })[] = []
  for (let start = 0; start < STARTS; start += 1) all.push({ bareMs: await bare(), ...(await ours(tty)) })
  const p50 = (of: (start: Start & { bareMs: number }) => number) => percentile(all.map(of), 0.5)
  const p95 = (of: (start: Start & { bareMs: number }) => number) => percentile(all.map(of), 0.95)
  const ratio = p50(({ ms }) => ms) / p50(({ bareMs }) => bareMs)
  const what = tty ? 'on a terminal' : 'on pipes'
  data[what] = { ms: p50(({ ms }) => ms), bareMs: p50(({ bareMs }) => bareMs), ratio, busyMs: p50(({ busyMs }) => busyMs), longestMs: p50(({ longestMs }) => longestMs) } // prettier-ignore
  rows.push(
    { what: `start until the first response, ${what}, p50`, figure: `${p50(({ ms }) => ms).toFixed(1)} ms`, limit: '–', met: null },
    { what: `  × bare bubblewrap (${p50(({ bareMs }) => bareMs).toFixed(1)} ms)`, figure: ratio.toFixed(2), limit: '≤ 2', met: ratio <= 2 },
    {
      what: '  processor time of the thread of the server, p50',
      figure: `${p50(({ busyMs }) => busyMs).toFixed(1)} ms`,
      limit: '–',
      met: null,
    },
    { what: '  its longest block, p50; p95', figure: `${p50(({ longestMs }) => longestMs).toFixed(1)}; ${p95(({ longestMs }) => longestMs).toFixed(1)} ms`, limit: '≤ 2 ms', met: p50(({ longestMs }) => longestMs) <= 2 }, // prettier-ignore
  )
}
report('starts', rows, { ...data, rssMb: process.memoryUsage.rss() / 1e6, kept: large.length })
small.kill()
await app.close()
fs.rmSync(folder, { recursive: true, force: true })
