// A session of 20,000 calls in Chromium: time until the first rows show, memory of the page, and frame times during scrolling.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright'
import { chromiumOptions } from '../e2e/support/chromium.ts'
import { codeText, randomOf, sessionLines } from './support/history.ts'
import { startMeasured } from './support/measured.ts'
import { percentile, report } from './support/report.ts'

const STEPS = 20_000
/** Scroll distance per wheel event, and the duration of the scrolling. */
const NOTCH_PX = 120
const SCROLL_MS = 10_000
const MB = 1e6

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-scroll-'))
const claudeDir = path.join(work, '.claude')
const project = path.join(claudeDir, 'projects', '-home-dev-long')
fs.mkdirSync(project, { recursive: true })
const random = randomOf(11)
const sessionId = '00000000-0000-4000-8000-000000000020'
const options = { sessionId, cwd: '/home/dev/long', bytes: 0, start: Date.UTC(2026, 9, 1), text: codeText(1_000_000, random), random }
const file = fs.createWriteStream(path.join(project, `${sessionId}.jsonl`))
for (const line of sessionLines({ ...options, steps: STEPS })) file.write(`${line}\n`)
await new Promise<void>((resolve) => file.end(resolve))

const server = await startMeasured({ HOME: work, BASHGYM_HOME: path.join(work, 'home'), CLAUDE_CONFIG_DIR: claudeDir })
await new Promise<void>((resolve) =>
  server.onMessage((message) => {
    if (message.type === 'job:complete') resolve()
  }),
)
const browser = await chromium.launch(chromiumOptions)
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
await page.goto((await server.post<{ url: string }>('/api/session/link')).url)
await page.goto(`${server.url}/traces`)
const row = page.getByRole('grid', { name: 'Sessions' }).locator('[role=row][aria-selected]').first()
await row.waitFor({ timeout: 120_000 })
const listBytes = await heapBytes(page)

const transcript = page.getByRole('region', { name: 'Transcript' })
const opening = await watchWork()
const began = performance.now()
await row.click()
await transcript.getByRole('listitem').first().filter({ hasText: 'Please' }).waitFor()
const openedMs = performance.now() - began
await page.getByText(/^[\d,]+ items$/).waitFor()
const wholeMs = performance.now() - began
const openingMs = await opening()
const openBytes = await heapBytes(page)

const box = (await transcript.boundingBox())!
await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
const scrolling = await watchWork()
const frames = page.evaluate(frameTimes, SCROLL_MS)
for (const until = performance.now() + SCROLL_MS - 200; performance.now() < until;) await page.mouse.wheel(0, NOTCH_PX)
const times = await frames
const scrollingMs = await scrolling()
const scrolledPx = await transcript.evaluate((element) => Math.round(element.scrollTop))
// then jump through the whole transcript, as the timeline and the search do
for (let share = 0; share <= 1; share += 0.05) {
  await transcript.evaluate((element, part) => (element.scrollTop = part * element.scrollHeight), share)
  await page.waitForTimeout(150)
}
const readBytes = await heapBytes(page)
await browser.close()
await server.stop()
fs.rmSync(work, { recursive: true, force: true })

/** Starts a trace. The returned function ends it and returns the longest CPU time in ms of one main-thread task, without waiting for a CPU. */
async function watchWork(): Promise<() => Promise<number>> {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] })
  return async () => {
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
    const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args?.name === 'CrRendererMain'
    const threads = new Set(traceEvents.filter(isMain).map(({ tid }) => tid))
    const tasks = traceEvents.filter(({ name, tid }) => name === 'RunTask' && threads.has(tid))
    if (tasks.length === 0) throw new Error('The trace of Chromium holds no task of a main thread.')
    return Math.max(...tasks.map(({ tdur }) => (tdur ?? 0) / 1000))
  }
}

interface TraceEvent {
  name: string
  tid: number
  /** CPU time in microseconds. */
  tdur?: number
  args?: { name?: string }
}

/** Runs in the page: returns the ms between frames over `ms` milliseconds. */
async function frameTimes(ms: number): Promise<number[]> {
  const gaps: number[] = []
  const end = performance.now() + ms
  for (let last = performance.now(); last < end;) {
    const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
    gaps.push(now - last)
    last = now
  }
  return gaps.slice(1)
}

/** Heap bytes of the page after a garbage collection. */
async function heapBytes(on: Page): Promise<number> {
  const client = await on.context().newCDPSession(on)
  await client.send('HeapProfiler.collectGarbage')
  await client.send('Performance.enable')
  const { metrics } = await client.send('Performance.getMetrics')
  await client.detach()
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN
}

const longest = Math.max(...times)
const steps = STEPS.toLocaleString('en')
const mb = (bytes: number) => `${(bytes / MB).toFixed(0)} MB`
report(
  'scroll',
  [
    { what: `${steps} calls: first rows in the window`, figure: `${openedMs.toFixed(0)} ms`, limit: '≤ 500 ms', met: openedMs <= 500 },
    { what: 'all rows known', figure: `${wholeMs.toFixed(0)} ms`, limit: '', met: null },
    { what: 'meanwhile the page worked longest at one go', figure: `${openingMs.toFixed(0)} ms`, limit: '', met: null },
    { what: 'heap: list', figure: mb(listBytes), limit: '', met: null },
    { what: 'heap: open', figure: mb(openBytes), limit: '≤ 300 MB', met: openBytes <= 300 * MB },
    { what: 'heap: after reading 21 places and 10 s of wheel', figure: mb(readBytes), limit: '≤ 300 MB', met: readBytes <= 300 * MB },
    {
      what: `frames in 10 s of wheel (${scrolledPx.toLocaleString('en')} px), p50 / p95`,
      figure: `${percentile(times, 0.5).toFixed(0)} / ${percentile(times, 0.95).toFixed(0)} ms`,
      limit: '',
      met: null,
    },
    { what: 'longest frame', figure: `${longest.toFixed(0)} ms`, limit: '≤ 50 ms', met: longest <= 50 },
    {
      what: 'meanwhile the page worked longest at one go',
      figure: `${scrollingMs.toFixed(0)} ms`,
      limit: '≤ 50 ms',
      met: scrollingMs <= 50,
    },
    { what: 'frames over 50 ms', figure: `${times.filter((ms) => ms > 50).length} of ${times.length}`, limit: '', met: null },
  ],
  { openedMs, wholeMs, openingMs, scrollingMs, listBytes, openBytes, readBytes, times },
)
