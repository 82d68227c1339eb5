import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Dataset, DatasetBuilt } from '#contracts/entities/dataset.ts'
import type { Job } from '#contracts/entities/job.ts'
import { writeHistory } from './support/history.ts'
import { type Measured, startMeasured } from './support/measured.ts'
import { report } from './support/report.ts'

/**
 * Builds a data set from a generated history on a server that has already imported it, and compares it with a plain script
 * that parses the same transcripts into rows: CPU time of all threads and peak memory. Import and start are not counted.
 *
 *     npm run bench -- build [--files N] [--privacy-off]
 */
const { values } = parseArgs({
  options: { files: { type: 'string', default: '125' }, 'privacy-off': { type: 'boolean', default: false } },
  allowPositionals: true,
})
const TIMES = { cpu: 8, memory: 2 }

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-bench-build-'))
const claude = path.join(work, '.claude')
fs.mkdirSync(claude)
const { files, bytes } = writeHistory(claude, { files: Number(values.files), largest: 0 })
const env = { HOME: work, BASHGYM_HOME: path.join(work, 'home'), CLAUDE_CONFIG_DIR: claude }

const first = await startMeasured(env)
await jobDone(first, 'import')
await first.stop()

const server = await startMeasured(env) // a new process, so that memory used by the import does not count
await idle(server)
const before = await server.figures()
const built = jobDone<DatasetBuilt>(server, 'dataset')
const started = performance.now()
await server.post('/api/datasets', {
  kind: 'sft',
  name: 'bench',
  tiers: ['gold', 'silver', 'bronze', 'pending', 'failed'],
  ...(values['privacy-off'] && { privacyOff: 'a benchmark of generated text' }),
})
const { id, counts } = await built
const seconds = (performance.now() - started) / 1000
const after = await server.figures()
const dataset = await server.get<Dataset>(`/api/datasets/${id}`)
await server.stop()

const script = path.join(import.meta.dirname, 'support', 'plain-rows.ts')
const { stdout } = spawnSync(process.execPath, [script, claude, path.join(work, 'plain.jsonl')], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
})
const plain = JSON.parse(stdout) as { rows: number; bytes: number; messages: number; cpuMs: number; peakRssMb: number }

const rows = counts.train + counts.val + counts.test
const cpuMs = after.cpuMs - before.cpuMs
const times = { cpu: cpuMs / plain.cpuMs, memory: after.peakRssMb / plain.peakRssMb }
const mb = (size: number) => `${(size / 1e6).toFixed(1)} MB`
report(
  'build',
  [
    { what: 'history', figure: `${files} sessions, ${mb(bytes)}`, limit: '', met: null },
    { what: 'rows, ours / plain', figure: `${rows}, ${mb(dataset.sizeBytes)} / ${plain.rows}, ${mb(plain.bytes)}`, limit: '', met: null },
    { what: 'time of the build', figure: `${seconds.toFixed(1)} s`, limit: '', met: null },
    {
      what: 'processor time, ours / plain',
      figure: `${(cpuMs / 1000).toFixed(1)} / ${(plain.cpuMs / 1000).toFixed(2)} s = ${times.cpu.toFixed(1)} ×`,
      limit: `≤ ${TIMES.cpu} ×`,
      met: times.cpu <= TIMES.cpu,
    },
    {
      what: 'peak memory, ours (whole server; before the build) / plain',
      figure: `${after.peakRssMb.toFixed(0)} (${before.rssMb.toFixed(0)}) / ${plain.peakRssMb.toFixed(0)} MB = ${times.memory.toFixed(1)} ×`,
      limit: `≤ ${TIMES.memory} ×`,
      met: times.memory <= TIMES.memory,
    },
  ],
  { files, bytes, rows, counts, funnel: dataset.funnel, seconds, before, after, plain, cpuMs },
)
fs.rmSync(work, { recursive: true, force: true })

/** Resolves with the result of the next job of this kind. Rejects if it fails. */
function jobDone<Result>(of: Measured, kind: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    of.onMessage(({ payload }) => {
      const { job } = payload as { job?: Job }
      if (job?.kind !== kind) return
      if (job.state === 'completed') resolve(job.result as Result)
      else if (job.state === 'failed') reject(new Error(job.error?.message ?? kind))
    })
  })
}

/** Waits until the server used almost no CPU for a second, so that reading, scoring and indexing are finished. */
async function idle(of: Measured): Promise<void> {
  for (let last = (await of.figures()).cpuMs; ;) {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const { cpuMs } = await of.figures()
    if (cpuMs - last < 30) return
    last = cpuMs
  }
}
