import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { ENDED_STATES } from '#contracts/entities/task.ts'
import { createApp, inProcessClient } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { percentile, report } from './support/report.ts'

/**
 * Runs of the shell agent with a scripted model: which resources they leave, and how fast a hanging run is stopped. Each run
 * starts a server, a detached process and a process that ignores signals.
 *
 *     npm run bench -- agent-runs [--small]
 */
const isSmall = process.argv.includes('--small')
const [RUNS, STOPS] = isSmall ? [20, 5] : [200, 20]
const AT_ONCE = 4
const MARK = `bashgym-bench-${process.pid}`

const START = [
  `(exec -a ${MARK} python3 -m http.server 8123 --bind 127.0.0.1 >/dev/null 2>&1) &`,
  `setsid bash -c 'exec -a ${MARK} sleep 3600' >/dev/null 2>&1 &`,
  `bash -c "trap '' TERM INT HUP; while :; do sleep 1; done" ${MARK} >/dev/null 2>&1 &`,
].join('\n')
/** The prompt says whether the agent ends, or hangs in a command until it is stopped. */
const MODEL = `
require('http').createServer((request, response) => {
  let text = ''
  request.on('data', (part) => (text += part)).on('end', () => {
    const { messages } = JSON.parse(text)
    const turn = messages.filter(({ role }) => role === 'assistant').length
    const last = messages.some(({ content }) => content === 'hang') ? 'sleep 3600' : 'exit 0'
    const message = { role: 'assistant', content: turn === 0 ? process.argv[1] : last }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage: { prompt_tokens: 100, completion_tokens: 4 } }))
  })
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
`

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-bench-agent-runs-'))
const dataDir = path.join(folder, 'here')
const temporary = path.join(folder, 'tmp')
fs.mkdirSync(temporary)
process.env['TMPDIR'] = temporary // only this process uses it, so everything left there is from the runs
const app = await createApp(loadConfig({ dataDir }, { HOME: folder, PATH: process.env['PATH'] }), { kind: 'command' })
const client = inProcessClient(app)
await app.start({ watch: true })
const model = spawn(process.execPath, ['-e', MODEL, START], { stdio: ['ignore', 'pipe', 'inherit'] })
const [port] = (await once(createInterface({ input: model.stdout }), 'line')) as [string]
const endpoint = { kind: 'url', dialect: 'openai', baseUrl: `http://127.0.0.1:${port}` } as const
await client.patchSettings({ body: { arena: { running: AT_ONCE } } })

const marked = (): number =>
  fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(MARK) && pid !== String(model.pid) && pid !== String(process.pid)
      } catch {
        return false // the process has ended in the meantime
      }
    }).length
const countResources = () => ({
  processes: marked(),
  descriptors: fs.readdirSync('/proc/self/fd').length,
  mounts: fs.readFileSync('/proc/self/mounts', 'utf8').split('\n').length,
  boxes: fs.existsSync(app.core.paths.boxes) ? fs.readdirSync(app.core.paths.boxes).length : 0,
  temporary: fs.readdirSync(temporary).length,
})
const start = (prompt: string) => client.createTask({ body: { prompt, agent: 'shell', endpoint, model: 'scripted', verify: 'true' } }) // in an empty folder
async function ended(id: string): Promise<string> {
  for (;;) {
    const { state } = await client.getTask({ params: { id } })
    if ((ENDED_STATES as readonly string[]).includes(state)) return state
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

// warm up, so that workers and connections exist before counting
await Promise.all(Array.from({ length: 4 * AT_ONCE }, async () => ended((await start('warm up')).id)))
const before = countResources()
const began = performance.now()
let left = RUNS
const states = new Map<string, number>()
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while ((left -= 1) >= 0) {
      const state = await ended((await start('work')).id)
      states.set(state, (states.get(state) ?? 0) + 1)
    }
  }),
)
const seconds = (performance.now() - began) / 1000
const after = countResources()

const stops: number[] = []
for (let no = 0; no < STOPS; no += 1) {
  const { id } = await start('hang')
  for (;;) {
    const { turns, state } = await client.getTask({ params: { id } })
    if (turns >= 1 && state === 'working' && marked() > 0) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const asked = performance.now()
  await client.cancelTask({ params: { id } })
  const state = await ended(id)
  stops.push(performance.now() - asked)
  if (state !== 'stopped' || marked() > 0) throw new Error(`A run is ${state}, and ${marked()} of its processes are left.`)
}

const kept = Object.keys(before) as (keyof typeof before)[]
/** Each lane may keep one connection open for the next request. */
const SPARE = { processes: 0, descriptors: AT_ONCE, mounts: 0, boxes: 0, temporary: 0 }
report(
  'agent-runs',
  [
    ...kept.map((what) => ({
      what: `${what} after ${RUNS} runs`,
      figure: `${after[what]}`,
      limit: `${before[what] + SPARE[what]}`,
      met: after[what] <= before[what] + SPARE[what],
    })),
    {
      what: `stop, slowest of ${STOPS}`,
      figure: `${(Math.max(...stops) / 1000).toFixed(1)} s`,
      limit: '10 s',
      met: Math.max(...stops) < 10_000,
    },
    { what: `stop, p50 of ${STOPS}`, figure: `${(percentile(stops, 0.5) / 1000).toFixed(1)} s`, limit: '-', met: null },
    { what: `${AT_ONCE} at once`, figure: `${(RUNS / seconds).toFixed(1)} runs/s`, limit: '-', met: null },
  ],
  { before, after, stops, states: Object.fromEntries(states), seconds },
)
model.kill()
await app.close()
fs.rmSync(folder, { recursive: true, force: true })
