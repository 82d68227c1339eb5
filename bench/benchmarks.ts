import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { BenchmarkRun } from '#contracts/entities/benchmark.ts'
import { openSandboxes, runAlone } from '#server/adapters/sandbox/index.ts'
import { startStub } from '#server/adapters/llm/testing-stub.ts'
import { DRIVER } from '#server/stages/judge/bench/driver.ts'
import { startTestServer } from '#server/testing/server.ts'
import { report } from './support/report.ts'

/**
 * 1,000 answers of the form of HumanEval, which an endpoint answers at once: items per second through the whole of a run, beside the
 * same programs in bare sandboxes; then the first page of a result of 10,000 rows.
 *
 *     npm run bench -- benchmarks
 */
const ITEMS = 1000
const ROWS = 10_000
const PER_SECOND = 40
const SHARE = 0.1
const PAGE_MS = 100

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-bench-'))
const problem = (no: number) => ({
  task_id: `HumanEval/${no}`,
  prompt: `def f${no}(a, b):\n    """Adds a and b."""\n`,
  entry_point: `f${no}`,
  test: `def check(candidate):\n    for n in range(20):\n        assert candidate(n, ${no}) == n + ${no}\n`,
})
const problems = Array.from({ length: ITEMS }, (_, no) => problem(no))
const write = (name: string, rows: readonly object[]) => {
  const file = path.join(folder, name)
  fs.writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  return file
}

const stub = await startStub(({ body }) => ({ text: body.messages[0]!.content.includes('def f') ? 'return a + b' : '#### 3' }))
const server = await startTestServer()
const places = os.availableParallelism()
const model = { kind: 'url' as const, baseUrl: stub.url, model: 'm' }

async function run(benchmark: 'humaneval' | 'gsm8k', files: string): Promise<{ run: BenchmarkRun; ms: number }> {
  const started = performance.now()
  const { id } = await server.client.runBenchmark({ body: { benchmark, model, files, own: true, parallel: 2 * places } })
  for (let ended = 0; ;) {
    const found = await server.client.getBenchmarkRun({ params: { id }, query: { waitMs: '5000', ended: String(ended) } })
    if (found.state !== 'running') return { run: found, ms: performance.now() - started }
    ended = found.total - found.owed
  }
}

const engine = await openSandboxes()
const bareStarted = performance.now()
let next = 0
await Promise.all(
  Array.from({ length: places }, async () => {
    for (let no = next++; no < ITEMS; no = next++) {
      const { prompt, test, entry_point: name } = problems[no]!
      const files = { 'driver.py': DRIVER, 'solution.py': `${prompt}    return a + b\n` }
      const input = JSON.stringify(['word', 'unfit', `${test}check(${name})\n`, '', name])
      const { stdout } = await runAlone(engine, {
        files,
        input,
        argv: ['/usr/bin/python3', '-I', '-B', 'driver.py'],
        timeoutMs: 30_000,
        memoryMb: 1024,
      })
      if (stdout !== 'word') throw new Error(`Item ${no} did not pass.`)
    }
  }),
)
const bareMs = performance.now() - bareStarted
const scored = await run('humaneval', write('HumanEval.jsonl', problems))
if (scored.run.value !== 1) throw new Error('Not every answer was right.')

const many = await run(
  'gsm8k',
  write(
    'gsm8k.jsonl',
    Array.from({ length: ROWS }, (_, no) => ({ question: `${no}?`, answer: `#### ${no}` })),
  ),
)
const pageStarted = performance.now()
await server.client.getBenchmarkRun({ params: { id: many.run.id } })
await server.client.listBenchmarkRows({ params: { id: many.run.id }, query: { limit: '50' } })
const pageMs = performance.now() - pageStarted

await server.close()
await stub.close()
fs.rmSync(folder, { recursive: true })

const perSecond = (ITEMS / scored.ms) * 1000
const share = (scored.ms - bareMs) / scored.ms
const asking = many.ms / ROWS
report(
  'benchmarks',
  [
    { what: 'bare sandboxes', figure: `${((ITEMS / bareMs) * 1000).toFixed(0)} items/s`, limit: '–', met: null },
    {
      what: 'a run of HumanEval',
      figure: `${perSecond.toFixed(0)} items/s`,
      limit: `≥ ${PER_SECOND} items/s`,
      met: perSecond >= PER_SECOND,
    },
    { what: 'our share of it', figure: `${(share * 100).toFixed(0)} %`, limit: `≤ ${SHARE * 100} %`, met: share <= SHARE },
    { what: 'a request without a program', figure: `${asking.toFixed(1)} ms`, limit: '≤ 5 ms', met: asking <= 5 },
    { what: `a result of ${ROWS} rows, first page`, figure: `${pageMs.toFixed(0)} ms`, limit: `≤ ${PAGE_MS} ms`, met: pageMs <= PAGE_MS },
  ],
  { perSecond, bareMs, scoredMs: scored.ms, share, asking, pageMs },
)
