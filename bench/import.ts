// Compares a cold import of a generated history with JSON.parse of the same bytes, and a warm rescan with stat; also measures
// the first rows, memory, event loop and disk.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { writeHistory } from './support/history.ts'
import { startMeasured } from './support/measured.ts'
import { percentile, report } from './support/report.ts'

const small = process.argv.includes('--small')
const keep = process.argv.includes('--keep')
const work = path.join(os.tmpdir(), 'bashgym-bench')
/** `--giant`: the small history plus the largest session, to measure its memory. */
const giant = process.argv.includes('--giant')
const claudeDir = path.join(work, giant ? 'history-giant' : small ? 'history-small' : 'history', '.claude')
const dataDir = path.join(work, 'home')
fs.rmSync(dataDir, { recursive: true, force: true })
fs.mkdirSync(claudeDir, { recursive: true })
const history = writeHistory(claudeDir, giant ? { files: 400 } : small ? { files: 400, largest: 0 } : {})
const files = fs
  .readdirSync(path.join(claudeDir, 'projects'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.join(entry.parentPath, entry.name))

const mb = (bytes: number) => bytes / 1e6
/** `--server=FILE` measures another build than dist/. */
function argument(name: string): string | undefined {
  return process.argv.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3)
}
const parse = parseAll()
const env = { HOME: work, BASHGYM_HOME: dataDir, CLAUDE_CONFIG_DIR: claudeDir }
const server = await startMeasured(env, argument('server'))
let firstRowMs = null as number | null // set by the listener below
const done = new Promise<{ ms: number; result: { sessions: { new: number }; records: number; steps: number; bytes: number; ms: number } }>(
  (resolve) => {
    server.onMessage((message, ms) => {
      if (message.type === 'trace:batch' || message.type === 'trace:added') firstRowMs ??= ms
      const job = (message.payload as { job?: { kind: string; state: string; result: never } }).job
      if (message.type === 'job:complete' && job?.kind === 'import') resolve({ ms, result: job.result })
    })
  },
)
const listMs: number[] = []
const listing = setInterval(async () => {
  const started = performance.now()
  await server.get('/api/traces?limit=50')
  listMs.push(performance.now() - started)
}, 100)
const { ms, result } = await done
clearInterval(listing)
const cold = await server.figures()
const indexStarted = performance.now()
const waiting = await server.get<{ indexing: { pendingBytes: number } | null }>('/api/capture')
const indexBytes = waiting.indexing?.pendingBytes ?? 0
let indexMs = 0
for (;;) {
  const { indexing } = await server.get<{ indexing: { pendingEntries: number } | null }>('/api/capture')
  if (indexing === null || indexing.pendingEntries === 0) break
  await new Promise((resolve) => setTimeout(resolve, 250))
  indexMs = performance.now() - indexStarted
}
const warm = await rescan()
const disk = {
  db: sizeOf(path.join(dataDir, 'bashgym.db')),
  wal: sizeOf(path.join(dataDir, 'bashgym.db-wal')),
  search: sizeOf(path.join(dataDir, 'search.db')),
  archive: folderSize(path.join(dataDir, 'archive')),
}
const statMs = statAll()
await server.stop()

const rate = mb(result.bytes) / (result.ms / 1000)
const stored = disk.db + disk.archive
const indexRate = mb(indexBytes) / (indexMs / 1000)
report(
  giant ? 'import-giant' : small ? 'import-small' : 'import',
  [
    { what: 'history', figure: `${history.files} files, ${mb(history.bytes).toFixed(0)} MB`, limit: '', met: null },
    { what: 'JSON.parse of the same bytes', figure: `${parse.toFixed(0)} MB/s`, limit: '', met: null },
    {
      what: 'cold import',
      figure: `${rate.toFixed(0)} MB/s = ${(rate / parse).toFixed(2)} ×`,
      limit: '≥ 0.25 ×',
      met: rate / parse >= 0.25,
    },
    {
      what: 'first rows after start',
      figure: `${firstRowMs === null ? '–' : firstRowMs.toFixed(0)} ms`,
      limit: '< 1,000 ms',
      met: (firstRowMs ?? Infinity) < 1000,
    },
    {
      what: 'processor time of the server',
      figure: `${(cold.cpuMs / 1000).toFixed(1)} s = ${((cold.cpuMs * 1e6) / result.bytes).toFixed(1)} ns a byte`,
      limit: '',
      met: null,
    },
    { what: 'peak RSS', figure: `${cold.peakRssMb.toFixed(0)} MB`, limit: '≤ 600 MB', met: cold.peakRssMb <= 600 },
    {
      what: 'event-loop delay during import, p99 / max',
      figure: `${cold.p99Ms.toFixed(1)} / ${cold.maxMs.toFixed(0)} ms`,
      limit: '',
      met: null,
    },
    {
      what: 'GET /api/traces during import, p50 / p95',
      figure: `${percentile(listMs, 0.5).toFixed(0)} / ${percentile(listMs, 0.95).toFixed(0)} ms`,
      limit: '',
      met: null,
    },
    {
      what: 'search index behind it',
      figure: `${mb(indexBytes).toFixed(0)} MB of text in ${(indexMs / 1000).toFixed(1)} s = ${indexRate.toFixed(0)} MB/s`,
      limit: '≥ 20 MB/s',
      met: indexRate >= 20,
    },
    {
      what: 'warm rescan',
      figure: `${warm.toFixed(0)} ms (stat of the files ${statMs.toFixed(0)} ms)`,
      limit: '≤ 300 ms',
      met: warm <= 300,
    },
    {
      what: 'disk: database + archive',
      figure: `${mb(stored).toFixed(0)} MB = ${((100 * stored) / history.bytes).toFixed(0)} % of raw`,
      limit: '',
      met: null,
    },
    { what: 'disk: search index', figure: `${mb(disk.search).toFixed(0)} MB`, limit: '', met: null },
  ],
  { history, parse, ms, result, cold, listMs, indexBytes, indexMs, warm, statMs, disk, firstRowMs },
)
if (!keep) fs.rmSync(dataDir, { recursive: true, force: true })

/** MB/s of JSON.parse over every line, one thread, files read in the same run. */
function parseAll(): number {
  let bytes = 0
  let spent = 0
  for (const file of files) {
    const text = fs.readFileSync(file)
    bytes += text.length
    const started = performance.now()
    for (let at = 0; at < text.length;) {
      const end = text.indexOf(10, at)
      const stop = end === -1 ? text.length : end
      if (stop > at) JSON.parse(text.toString('utf8', at, stop))
      at = stop + 1
    }
    spent += performance.now() - started
  }
  return mb(bytes) / (spent / 1000)
}

async function rescan(): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const job = await server.post<{ id: string }>('/api/imports')
    const ended = await server.get<{ result: { ms: number } }>(`/api/jobs/${job.id}?waitMs=30000`)
    times.push(ended.result.ms)
  }
  return times.toSorted((a, b) => a - b)[1] ?? Number.NaN
}

function statAll(): number {
  const started = performance.now()
  for (const file of files) fs.statSync(file)
  return performance.now() - started
}

function sizeOf(file: string): number {
  return fs.existsSync(file) ? fs.statSync(file).size : 0
}

function folderSize(folder: string): number {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + fs.statSync(path.join(entry.parentPath, entry.name)).size, 0)
}
