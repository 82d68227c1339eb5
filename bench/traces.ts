import { parseArgs } from 'node:util'
import { createTraces } from '#server/stages/traces/index.ts'
import { openSearch } from '#server/stages/traces/search/schema.ts'
import { tokensOf } from '#server/stages/traces/search/tokens.ts'
import { createTraceStore } from '#server/stages/traces/store.ts'
import { openCore } from '#server/testing/core.ts'
import { testEntry, testId, testOutput } from '#server/stages/traces/testing.ts'
import { entryValues, responseValues } from '#server/stages/traces/rows.ts'
import { factsOf } from '#server/stages/traces/slices.ts'
import { report } from './support/report.ts'

/**
 * List, filter, search and open with 10,000 sessions of 200 steps (p95 at most 30 ms, full text 50 ms). Rows are inserted
 * through the store without bodies, so reading the archive is not measured here.
 *
 *     npm run bench -- traces [--sessions N] [--steps N]
 */
const { values } = parseArgs({
  options: { sessions: { type: 'string', default: '10000' }, steps: { type: 'string', default: '200' } },
  allowPositionals: true,
})
const SESSIONS = Number(values.sessions)
const STEPS = Number(values.steps)
const BUDGET_MS = 30
const SEARCH_BUDGET_MS = 50
const ROUNDS = 40

const core = openCore()
const store = createTraceStore(core.db)
const traces = createTraces(core, {
  capture: {
    rebuildSources: async () => ({ traces: 0, problems: [], damaged: [] }),
    markDerived: () => {},
    derivePending: async () => ({ records: 0, steps: 0, errors: [] }),
    forget: async () => {},
    totals: () => ({ bytes: 0, rawBytes: 0 }),
  },
  analysers: [],
  onDerived: () => {},
  getScore: () => null,
  prices: () => [],
})

const WORDS =
  'error test build route handler index parse cache token stream worker commit branch merge deploy schema query filter render state'.split(
    ' ',
  )
/** Every tenth step has a line of such words, without spaces between them. */
const CHINESE =
  '错误 测试 构建 路由 处理 索引 解析 缓存 令牌 流程 线程 提交 分支 合并 部署 模式 查询 过滤 渲染 状态 类型 无法 变量 函数'.split(' ')
const REPOS = Array.from({ length: 40 }, (_, index) => `repo-${index}`)
const TOOLS = ['Bash', 'Read', 'Edit', 'Write', 'Grep', 'Glob', 'Task', 'WebFetch']
const TIERS = ['gold', 'silver', 'bronze', 'failed', 'pending'] as const

/** Seeded random numbers (mulberry32), so that two runs measure the same rows. */
function generator(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const fillStarted = performance.now()
const search = openSearch(core.paths.search)
const putText = search.prepare('INSERT INTO docs (rowid, text) VALUES (?, ?)')
const putPlace = search.prepare('INSERT INTO places (rowid, trace) VALUES (?, ?)')
const random = generator(7)
let rowid = 0
let textBytes = 0
for (let index = 0; index < SESSIONS; index += 1) {
  const session = `bench-${index}`
  const id = testId(session)
  const started = Date.now() - random(365 * 86_400) * 1000
  const entries = Array.from({ length: STEPS }, (_, step) => {
    const success = random(12) > 0
    return testEntry(id, step + 1, {
      tool: TOOLS[random(TOOLS.length)]!,
      success,
      exitCode: success ? null : 1,
      at: started + step * 10_000,
    })
  })
  const output = testOutput({
    session,
    entries,
    trace: {
      title: `${WORDS[random(20)]} the ${WORDS[random(20)]}`,
      repo: REPOS[random(40)]!,
      startedAt: started,
      endedAt: started + STEPS * 10_000,
    },
    responses: entries.map((entry) => ({
      key: entry.id,
      model: 'claude-sonnet-4-5',
      agent: 'main',
      input: 100,
      output: 20,
      cacheRead: 0,
      cacheWrite: 0,
    })),
  })
  core.tx(() => {
    const no = store.reserveNo()
    store.insertEntries(
      no,
      1,
      entries.map((entry) => entryValues(id, entry)),
    )
    store.writeResponses(no, output.responses.map(responseValues))
    store.writeTrace(no, true, 1, {
      derived: output.trace,
      version: 'bench',
      sample: false,
      costUsd: random(1000) / 100,
      ...factsOf(entries),
      pending: { entries: 0, bytes: 0 },
    })
    const tier = TIERS[random(5)]!
    traces.setPolicyScore(id, {
      tier,
      quality: random(100) / 100,
      successRate: 0.9,
      verification: 'none',
      tierReason: null,
      scoreVersion: 1,
    })
  })
  search.transaction(() => {
    for (let step = 0; step < STEPS; step += 1) {
      rowid += 1
      const chinese = step % 10 === 0 ? Array.from({ length: 40 }, () => CHINESE[random(CHINESE.length)]).join('') : ''
      const text = `npm run ${WORDS[random(20)]} ${WORDS[random(20)]} file${random(5000)} session${index} ${'x'.repeat(random(8))} ${WORDS[random(20)]} ${random(1_000_000)}${chinese}`
      textBytes += text.length
      putText.run(rowid, tokensOf(text))
      putPlace.run(rowid, index + 1)
    }
  })()
}
search.close()
core.db.pragma('wal_checkpoint(TRUNCATE)')
console.log(
  `${SESSIONS} sessions, ${rowid} steps, ${(textBytes / 1e6).toFixed(0)} MB of text made in ${((performance.now() - fillStarted) / 1000).toFixed(0)} s\n`,
)

const some = testId('bench-1')
const list = (q: string, sort: Parameters<typeof traces.lists.list>[0]['sort'] = '-startedAt') => traces.lists.list({ q, sort, limit: 50 })
const cases: [string, number, (round: number) => unknown][] = [
  ['list', BUDGET_MS, () => list('')],
  ['list by cost', BUDGET_MS, () => list('', '-cost')],
  ['list by title', BUDGET_MS, () => list('', 'title')],
  ['tier:gold repo:', BUDGET_MS, (round) => list(`tier:gold repo:repo-${round}`)],
  ['tool:Bash exit:!0 cost:>0.5', BUDGET_MS, () => list('tool:Bash exit:!0 cost:>0.5')],
  ['-tag:x has:error age:<30d', BUDGET_MS, () => list('-tag:x has:error age:<30d')],
  ['facets', BUDGET_MS, () => traces.lists.facets({})],
  ['facets tier:gold', BUDGET_MS, () => traces.lists.facets({ q: 'tier:gold' })],
  ['facets of a filter that fits all', BUDGET_MS, () => traces.lists.facets({ q: 'is:ended' })],
  ['day:', BUDGET_MS, (round) => list(`day:${new Date(Date.now() - round * 86_400_000).toISOString().slice(0, 10)}`)],
  ['search, rare word', SEARCH_BUDGET_MS, (round) => list(`session${round * 37}`)],
  ['search, word in 400 steps', SEARCH_BUDGET_MS, (round) => list(`"file${round}"`)],
  // A last word without quotes is a prefix search: it matches 111 words here, and 1,111 in the first rounds.
  ['search, beginning of words in 44,000 to 444,000 steps', SEARCH_BUDGET_MS, (round) => list(`file${round}`)],
  ['search, word in every seventh step', SEARCH_BUDGET_MS, (round) => list(`"${WORDS[round % 20]}"`)],
  ['search, a word, the beginning of words, and tier', SEARCH_BUDGET_MS, (round) => list(`tier:gold error file${round}`)],
  ['search, a Chinese word, in every tenth step', SEARCH_BUDGET_MS, (round) => list(CHINESE[round % CHINESE.length]!)],
  ['search, one Chinese character', SEARCH_BUDGET_MS, (round) => list(CHINESE[round % CHINESE.length]![0]!)],
  ['search, four Chinese words in a row', SEARCH_BUDGET_MS, (round) => list(CHINESE.slice(round % 20, (round % 20) + 4).join(''))],
  ['timeline of one', 500, () => traces.timeline(some)],
  ['home', BUDGET_MS, () => traces.home()],
]
const results: { what: string; p50: number; p95: number | null; budget: number | null; withinBudget: boolean | null }[] = []
for (const [name, budget, run] of cases) {
  for (let round = 0; round < 3; round += 1) await run(round)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now()
    await run(round)
    times.push(performance.now() - begun)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => Number(times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1))
  results.push({ what: name, p50: at(0.5), p95: at(0.95), budget, withinBudget: at(0.95) <= budget })
}
const begun = performance.now()
await traces.stats()
results.push({
  what: 'stats, first time',
  p50: Number((performance.now() - begun).toFixed(0)),
  p95: null,
  budget: null,
  withinBudget: null,
})
report(
  'traces',
  results.map(({ what, p50, p95, budget, withinBudget }) => ({
    what,
    figure: p95 === null ? `${p50} ms` : `${p50} / ${p95} ms`,
    limit: budget === null ? '' : `p95 ≤ ${budget} ms`,
    met: withinBudget,
  })),
  { sessions: SESSIONS, steps: rowid, results },
)
await traces.close()
await core.close()
