import fs from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openCore } from '#server/testing/core.ts'
import { NOTHING_YET } from '#server/stages/gym/live.ts'
import { follow } from '#server/runs/follow.ts'
import { createIntake } from '#server/stages/gym/ingest.ts'
import { createBlockStore } from '#server/stages/gym/metrics/blocks.ts'
import { seriesOf } from '#server/stages/gym/metrics/series.ts'
import { createRunStore } from '#server/stages/gym/store.ts'
import { percentile, report } from './support/report.ts'

/**
 * How fast trainer events are stored as curves, how long the event loop is blocked meanwhile, and how long it takes to
 * query a curve of 100,000 points.
 *
 *     npm run bench -- metrics
 */
const POINTS = 100_000
const core = openCore()
const store = createRunStore(core.db, core.now)
const blocks = createBlockStore(core.db)
core.db
  .prepare(
    "INSERT INTO runs (id, name, state, strategy, base_model, asked, live, created_at) VALUES ('bench', 'n', 'running', 'sft', 'm', '{}', ?, 0)",
  )
  .run(JSON.stringify(NOTHING_YET))
const folder = path.join(core.config.dataDir, 'run')
fs.mkdirSync(folder)
const start = Date.parse('2026-01-01T00:00:00Z')
const text = Array.from({ length: POINTS }, (_, index) => {
  const step = index + 1
  const metrics = { loss: 2 + Math.sin(step), grad_norm: 1.5, learning_rate: 1e-4, entropy: 3, mean_token_accuracy: 0.5 }
  const at = new Date(start + step * 100).toISOString()
  return `${JSON.stringify({ seq: step, at, type: 'progress', step, totalSteps: POINTS, epoch: step / 1000, tokens: step * 512, tokensPerSec: 5000, etaSec: 9, metrics, notFinite: [], memoryMb: { rss: 900, vram: null } })}\n`
}).join('')
fs.writeFileSync(path.join(folder, 'events.jsonl'), text)

const row = { ...store.require('bench'), live: NOTHING_YET }
const slices: number[] = []
const done = new AbortController()
const watching = (async () => {
  for (let last = performance.now(); !done.signal.aborted;) {
    await nextTurn()
    const now = performance.now()
    slices.push(now - last)
    last = now
  }
})()
const began = performance.now()
const following = follow(
  { core, intake: createIntake({ core, store, blocks, onBatch: () => undefined }, row), save: (live) => store.change(row.id, { live }) },
  row,
  folder,
)
await following.finish()
const seconds = (performance.now() - began) / 1000
done.abort()
await watching
await following.stop()

const series = blocks.names(row.no)
const fresh = performance.now()
const { count } = seriesOf(blocks, { no: row.no, id: 'bench', seq: 0 }, { names: ['loss'], points: 1000 })[0]!
const first = performance.now() - fresh
if (count !== POINTS) throw new Error(`${count} of ${POINTS} points are there.`)
const asked = Array.from({ length: 50 }, () => {
  const from = performance.now()
  seriesOf(blocks, { no: row.no, id: 'bench', seq: 0 }, { names: ['loss'], points: 1000 })
  return performance.now() - from
})
const bytes = (core.db.prepare('SELECT sum(length(data)) AS bytes FROM run_blocks').get() as { bytes: number }).bytes
const rate = POINTS / seconds
const slice = percentile(slices, 0.99)
const query = percentile(asked, 0.95)
report(
  'metrics',
  [
    { what: `events taken in, ${series.length} figures each`, figure: `${rate.toFixed(0)} points/s`, limit: '10,000', met: rate >= 10_000 },
    { what: 'event loop blocked meanwhile, p99', figure: `${slice.toFixed(1)} ms`, limit: '10 ms', met: slice <= 10 },
    { what: 'event loop blocked meanwhile, most', figure: `${Math.max(...slices).toFixed(1)} ms`, limit: '–', met: null },
    { what: `one curve of ${POINTS} points in 1000 buckets, p95`, figure: `${query.toFixed(1)} ms`, limit: '20 ms', met: query <= 20 },
    { what: 'the same for the first time', figure: `${first.toFixed(1)} ms`, limit: '–', met: null },
    { what: 'bytes a point with all its figures', figure: (bytes / POINTS).toFixed(0), limit: '–', met: null },
  ],
  { points: POINTS, seconds, slices: { p50: percentile(slices, 0.5), p99: slice }, query, first },
)
await core.close()
