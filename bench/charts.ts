// Live curves in Chromium: the time of a redraw of 50 runs × 100,000 points, and of a point from the trainer to the screen.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium, type Browser } from 'playwright'
import { build, type Rolldown } from 'vite'
import { chromiumOptions } from '../e2e/support/chromium.ts'
import { probe } from '../scripts/lib/probe.mjs'
import { startMeasured } from './support/measured.ts'
import { percentile, report, type Row } from './support/report.ts'
import type { Redraw } from './support/charts-page.ts'

const ROOT = path.join(import.meta.dirname, '..')
const RUNS = 50
const POINTS = 100_000
const REDRAWS = 30
const STEPS = 150

const browser = await chromium.launch(chromiumOptions)
const raw = await redraws(browser, 0)
const smoothed = await redraws(browser, 0.6)
const { python } = probe()
const delays = python.found ? await delaysOf(browser, python.found) : null
await browser.close()

const both = (values: readonly number[]) => `${percentile(values, 0.5).toFixed(1)} / ${percentile(values, 0.95).toFixed(1)} ms`
const rowsOf = (name: string, { script, total }: Redraw): Row[] => [
  { what: `${RUNS} runs × ${POINTS.toLocaleString('en')} points, ${name}: script of a redraw, p50 / p95`, figure: both(script), limit: '≤ 16 ms', met: percentile(script, 0.95) <= 16 },
  { what: `the same until its pixels are there, p50 / p95`, figure: both(total), limit: '≤ 16 ms', met: percentile(total, 0.95) <= 16 },
] // prettier-ignore
report(
  'charts',
  [
    ...rowsOf('as measured', raw),
    ...rowsOf('with averages', smoothed),
    delays === null
      ? { what: 'point of a real run → pixel', figure: `not measured: no Python that trains (${python.install})`, limit: '≤ 250 ms', met: null }
      : { what: `point of a real run → pixel, p50 / p95 of ${delays.length}`, figure: both(delays), limit: '≤ 250 ms', met: percentile(delays, 0.95) <= 250 },
  ],
  { raw, smoothed, delays },
) // prettier-ignore

/** Measures the product's chart on a separate page. */
async function redraws(on: Browser, smoothing: number): Promise<Redraw> {
  const built = (await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, lib: { entry: path.join(import.meta.dirname, 'support', 'charts-page.ts'), formats: ['es'], fileName: 'page' } },
  })) as Rolldown.RolldownOutput[]
  const files = built.flatMap(({ output }) => output)
  const script = files.find((file) => file.type === 'chunk')?.code ?? ''
  const style = files.find((file) => file.fileName.endsWith('.css'))
  const tokens = fs.readFileSync(path.join(ROOT, 'renderer', 'src', 'ui', 'tokens.css'), 'utf8').match(/:root \{[^}]*\}/)?.[0] ?? ''
  const page = await on.newPage({ viewport: { width: 1440, height: 900 } })
  const css = `${tokens}${style?.type === 'asset' ? String(style.source) : ''}`
  await page.route('http://charts.test/**', (route) =>
    route.request().url().endsWith('.js')
      ? route.fulfill({ contentType: 'text/javascript', body: script })
      : route.fulfill({ contentType: 'text/html', body: `<style>${css}</style><script type="module" src="/page.js"></script>` }),
  )
  await page.goto('http://charts.test/')
  const figures = await page.evaluate(
    (asked) => (globalThis as unknown as { measureCharts: (asked: object) => Redraw }).measureCharts(asked),
    { runs: RUNS, points: POINTS, redraws: REDRAWS, smoothing },
  )
  await page.close()
  return figures
}

/** Watches a run of a tiny model in the page: ms from writing each event until the canvas shows it. */
async function delaysOf(on: Browser, interpreter: string): Promise<number[]> {
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-charts-'))
  const trainers = path.join(ROOT, 'server', 'trainers')
  const model = path.join(work, 'model')
  execFileSync(interpreter, ['make_model.py', model], { cwd: path.join(trainers, 'tests'), env: { PATH: process.env['PATH'] ?? '', HOME: work, PYTHONPATH: trainers }, stdio: 'ignore' }) // prettier-ignore
  const row = (at: number) => JSON.stringify({ messages: [{ role: 'user', content: `List folder ${at}` }, { role: 'assistant', content: `a.ts b.ts ${at}` }] }) // prettier-ignore
  const file = path.join(work, 'train.jsonl')
  fs.writeFileSync(file, `${Array.from({ length: 60 }, (_, at) => row(at)).join('\n')}\n`)
  const server = await startMeasured({ HOME: work, BASHGYM_HOME: path.join(work, 'home'), CLAUDE_CONFIG_DIR: path.join(work, '.claude'), BASHGYM_PYTHON: interpreter }) // prettier-ignore
  const ended = new Promise<void>((resolve) =>
    server.onMessage(({ type }) => {
      if (type === 'training:complete' || type === 'training:failed') resolve()
    }),
  )
  const page = await on.newPage({ viewport: { width: 1440, height: 900 } })
  await page.addInitScript(watch)
  await page.goto((await server.post<{ url: string }>('/api/session/link')).url)
  const settings = { learningRate: 0.005, maxSteps: STEPS, loggingSteps: 1, evalSteps: null, saveSteps: null, samples: 0 }
  const { id, folder } = await server.post<{ id: string; folder: string }>('/api/training/start', {
    strategy: 'sft',
    baseModel: model,
    file,
    settings,
  })
  await page.goto(`${server.url}/training/${id}`)
  await ended
  await page.getByText('Done', { exact: true }).waitFor({ timeout: 60_000 })
  const drawn = await page.evaluate(() => (globalThis as unknown as { drawnAt: [number, number][] }).drawnAt)
  const events = fs.readFileSync(path.join(folder, 'events.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as { seq: number; at: string }) // prettier-ignore
  const reportedAt = new Map(events.map(({ seq, at }) => [seq, Date.parse(at)]))
  await page.close()
  await server.stop()
  fs.rmSync(work, { recursive: true, force: true })
  return drawn.flatMap(([seq, at]) => (reportedAt.has(seq) ? [at - reportedAt.get(seq)!] : []))
}

/** Runs in the page before its scripts. Records when a canvas was first drawn after each point arrived. */
function watch(): void {
  const waiting: number[] = []
  const drawnAt: [number, number][] = []
  Object.assign(globalThis, { drawnAt })
  const Original = globalThis.WebSocket
  globalThis.WebSocket = class extends Original {
    constructor(url: string | URL) {
      super(url)
      this.addEventListener('message', ({ data }) => {
        const message = JSON.parse(String(data)) as { type: string; payload: { points?: { seq: number }[] } }
        if (message.type === 'training:progress') waiting.push(...(message.payload.points ?? []).map(({ seq }) => seq))
      })
    }
  }
  const { prototype } = CanvasRenderingContext2D
  const stroke = Object.getOwnPropertyDescriptor(prototype, 'stroke')?.value as (this: CanvasRenderingContext2D, path?: Path2D) => void
  prototype.stroke = function draw(this: CanvasRenderingContext2D, ...args: [path?: Path2D]) {
    const now = performance.timeOrigin + performance.now()
    for (const seq of waiting.splice(0)) drawnAt.push([seq, now])
    stroke.apply(this, args)
  }
}
