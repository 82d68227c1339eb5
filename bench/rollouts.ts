import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { given } from '#server/given.ts'
import { createApp, inProcessClient } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { scoreGroup } from '#server/stages/shell-rl/rollouts/score.ts'
import { createRolloutStore } from '#server/stages/shell-rl/rollouts/store.ts'
import { plainBash } from './support/arena-peers.ts'
import { percentile, report } from './support/report.ts'

/**
 * Rollouts with a scripted model in a separate process and five turns per episode: episodes per second, how much
 * longer a turn takes than the model and a plain bash, and the time of the statistics and lists of a set of 10,000 episodes.
 *
 *     npm run bench -- rollouts [--small]
 */
const isSmall = process.argv.includes('--small')
const [EPISODES, EPISODES_ALONE] = isSmall ? [60, 20] : [300, 60]
const AT_ONCE = 8
const TURNS = 5
const [MANY_TASKS, PER_TASK] = [1250, 8]

const MODEL = `
const turns = ['echo a', 'echo b', 'ls /', 'echo c', 'exit 0']
require('http').createServer((request, response) => {
  let text = ''
  request.on('data', (part) => (text += part)).on('end', () => {
    const turn = JSON.parse(text).messages.filter(({ role }) => role === 'assistant').length
    const message = { role: 'assistant', content: turns[turn % turns.length] }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage: { prompt_tokens: 100, completion_tokens: 4 } }))
  })
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
`

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-bench-rollouts-'))
const app = await createApp(loadConfig({ dataDir: path.join(folder, 'here') }, { HOME: folder, PATH: process.env['PATH'] }), {
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
const medianMs = async (count: number, work: () => Promise<unknown>) => {
  const all: number[] = []
  for (let made = 0; made < count; made += 1) all.push(await timed(work))
  return percentile(all, 0.5)
}

await run(AT_ONCE, AT_ONCE)
const { seconds } = await run(EPISODES, AT_ONCE)
const alone = await run(EPISODES_ALONE, 1)

const { items } = await client.listEpisodes({ params: { id: alone.id }, query: { limit: EPISODES_ALONE } })
const turnMs: number[] = []
for (const { id: episodeId } of items) {
  const { turns } = await client.getEpisode({ params: { id: alone.id, episodeId }, query: {} })
  turnMs.push(...turns.slice(1, -1).map((turn) => turn.modelMs + turn.commandMs)) // skip the first turn (cold connection) and the last (ends the shell)
}
const bash = plainBash()
const bareShell = await medianMs(200, () => bash.echo())
await bash.end()
const body = JSON.stringify({ messages: [] })
const bareModel = await medianMs(200, async () => (await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body })).text())
const own = percentile(turnMs, 0.5) - bareShell - bareModel

/** Stores a set of 10,000 episodes in the same way as a real set. */
function storeManyEpisodes(): string {
  const { db, tx } = app.core
  const store = createRolloutStore(db)
  const { settings, model: name } = store.require(alone.id)
  const id = 'm'.repeat(26)
  const [episode] = store.episodesOf(store.require(alone.id), 0)
  const { advantage: _advantage, id: _id, startedAt, ...kept } = episode!
  const tasks = Array.from({ length: MANY_TASKS }, (_, no) => ({
    id: `t${no}`,
    split: null,
    task: 'Say a.',
    setup: [],
    check: 'true',
    difficulty: 1 + (no % 4),
  }))
  tx(() => {
    store.insert({ id, name: 'many', model: name, settings: { ...settings, rolloutsPerTask: PER_TASK } }, tasks, {
      key: undefined,
      at: Date.now(),
    })
    const row = store.require(id)
    for (const [group, { id: taskId, difficulty }] of tasks.entries()) {
      for (let attempt = 1; attempt <= PER_TASK; attempt += 1)
        store.addEpisode(row, {
          ...kept,
          taskId,
          difficulty,
          group,
          attempt,
          startedAt: Date.parse(startedAt),
          reward: kept.reward! / attempt,
        })
      scoreGroup(store, row, group)
    }
    const all = MANY_TASKS * PER_TASK
    store.change(id, { state: 'done', counts: { ended: all, ok: all, solved: all, corrupted: 0, error: 0 } })
  })
  return id
}
const params = { id: storeManyEpisodes() }
const stats = await medianMs(20, () => client.getRolloutStats({ params }))
async function walk(list: (cursor: string | undefined) => Promise<{ nextCursor: string | null }>): Promise<number> {
  const all: number[] = []
  for (let cursor: string | undefined; ;) {
    const began = performance.now()
    const { nextCursor } = await list(cursor)
    all.push(performance.now() - began)
    if (nextCursor === null) break
    cursor = nextCursor
  }
  return percentile(all, 0.95)
}
const limit = 100
const episodePage = await walk((cursor) => client.listEpisodes({ params, query: { limit, ...given({ cursor }) } }))
const groupPage = await walk((cursor) => client.listRolloutGroups({ params, query: { limit, ...given({ cursor }) } }))

const perSecond = EPISODES / seconds
report(
  'rollouts',
  [
    { what: `episodes a second, ${TURNS} turns, ${AT_ONCE} at once`, figure: perSecond.toFixed(1), limit: '≥ 30', met: perSecond >= 30 },
    { what: 'episodes a second, one at a time', figure: (EPISODES_ALONE / alone.seconds).toFixed(1), limit: '–', met: null },
    { what: `turn without shell and model, p50 (shell ${bareShell.toFixed(2)}, model ${bareModel.toFixed(2)} ms)`, figure: `${own.toFixed(2)} ms`, limit: '≤ 5 ms', met: own <= 5 }, // prettier-ignore
    { what: 'statistics of 10,000 episodes, p50', figure: `${stats.toFixed(1)} ms`, limit: '–', met: null },
    { what: 'a page of 100 of these episodes, p95', figure: `${episodePage.toFixed(1)} ms`, limit: '≤ 30 ms', met: episodePage <= 30 },
    { what: 'a page of 100 of their groups, p95', figure: `${groupPage.toFixed(1)} ms`, limit: '≤ 30 ms', met: groupPage <= 30 },
  ],
  { perSecond, own, bareShell, bareModel, stats, episodePage, groupPage },
)
model.kill()
await app.close()
fs.rmSync(folder, { recursive: true, force: true })
