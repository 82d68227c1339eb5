import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { createApp, inProcessClient } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { plainBash } from './support/arena-peers.ts'
import { percentile, report } from './support/report.ts'

/**
 * Rollouts with a scripted model in a process of its own, five turns an episode: whole episodes a second, what a turn takes
 * beyond the model and a bash by themselves, and how long pages of 10,000 episodes take.
 *
 *     npm run bench -- rollouts [--small]
 */
const isSmall = process.argv.includes('--small')
const [EPISODES, ALONE] = isSmall ? [60, 20] : [300, 60]
const AT_ONCE = 8
const TURNS = 5

const MODEL = `
const turns = ['echo a', 'echo b', 'ls /', 'echo c', 'exit 0']
require('http').createServer((request, response) => {
  let text = ''
  request.on('data', (part) => (text += part)).on('end', () => {
    const said = JSON.parse(text).messages.filter(({ role }) => role === 'assistant').length
    const message = { role: 'assistant', content: turns[said % turns.length] }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage: { prompt_tokens: 100, completion_tokens: 4 } }))
  })
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
`

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-bench-rollouts-'))
const app = await createApp(loadConfig({ home: path.join(folder, 'here') }, { HOME: folder, PATH: process.env['PATH'] }), {
  kind: 'command',
})
const client = inProcessClient(app)
await app.start({ watch: true })
const model = spawn(process.execPath, ['-e', MODEL], { stdio: ['ignore', 'pipe', 'inherit'] })
const [port] = (await once(createInterface({ input: model.stdout }), 'line')) as [string]
const baseUrl = `http://127.0.0.1:${port}`
await client.patchSettings({ body: { arena: { running: AT_ONCE } } })

async function run(episodes: number, concurrency: number) {
  const tasks = [{ task: 'Say a.', setup: [], check: 'true', difficulty: 1 }]
  const began = performance.now()
  const { id } = await client.createRollouts({ body: { tasks, endpoint: { kind: 'url', baseUrl, model: 'scripted' }, rolloutsPerTask: episodes, concurrency } }) // prettier-ignore
  for (let ended = -1; ;) {
    const set = await client.getRollouts({ params: { id }, query: { waitMs: 30_000, ended } })
    if (set.state !== 'running') {
      if (set.counts.ok !== episodes) throw new Error(`The set is ${set.state}: ${JSON.stringify(set.counts)} ${set.detail ?? ''}`)
      return { id, seconds: (performance.now() - began) / 1000 }
    }
    ended = set.counts.ended
  }
}
const timed = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  return performance.now() - began
}
const times = async (count: number, work: () => Promise<unknown>) => {
  const all: number[] = []
  for (let made = 0; made < count; made += 1) all.push(await timed(work))
  return percentile(all, 0.5)
}

await run(AT_ONCE, AT_ONCE)
const { seconds } = await run(EPISODES, AT_ONCE)
const alone = await run(ALONE, 1)

const { items } = await client.listEpisodes({ params: { id: alone.id }, query: { limit: ALONE } })
const turnMs: number[] = []
for (const { id: episodeId } of items) {
  const { turns } = await client.getEpisode({ params: { id: alone.id, episodeId }, query: {} })
  turnMs.push(...turns.slice(1, -1).map((turn) => turn.modelMs + turn.commandMs)) // the first meets a cold connection, the last ends the shell
}
const bash = plainBash()
const bareShell = await times(200, () => bash.echo())
await bash.end()
const body = JSON.stringify({ messages: [] })
const bareModel = await times(200, async () => (await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body })).text())
const own = percentile(turnMs, 0.5) - bareShell - bareModel

const perSecond = EPISODES / seconds
report(
  'rollouts',
  [
    { what: `episodes a second, ${TURNS} turns, ${AT_ONCE} at once`, figure: perSecond.toFixed(1), limit: '≥ 50', met: perSecond >= 50 },
    { what: 'episodes a second, one at a time', figure: (ALONE / alone.seconds).toFixed(1), limit: '–', met: null },
    { what: `own share of a turn, p50 (shell ${bareShell.toFixed(2)}, model ${bareModel.toFixed(2)} ms)`, figure: `${own.toFixed(2)} ms`, limit: '≤ 5 ms', met: own <= 5 }, // prettier-ignore
  ],
  { perSecond, own, bareShell, bareModel },
)
model.kill()
await app.close()
fs.rmSync(folder, { recursive: true, force: true })
