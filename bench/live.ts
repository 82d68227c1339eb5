// Time from a hook firing on a grown transcript until the WebSocket reports it; and the time to open a session of 20,000 calls.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import os from 'node:os'
import { chromium } from 'playwright'
import { chromiumOptions } from '../e2e/support/chromium.ts'
import { codeText, randomOf, sessionLines } from './support/history.ts'
import { startMeasured } from './support/measured.ts'
import { percentile, report } from './support/report.ts'

const ROUNDS = 60
const STEPS = 20_000
/** Longer than 250 ms, because changes of one session within 250 ms are sent together. */
const PAUSE_MS = 400
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-live-'))
const claudeDir = path.join(work, '.claude')
const dataDir = path.join(work, 'home')
const project = path.join(claudeDir, 'projects', '-home-dev-live')
fs.mkdirSync(project, { recursive: true })
const random = randomOf(11)
const text = codeText(1_000_000, random)
const options = { cwd: '/home/dev/live', bytes: 0, start: Date.UTC(2026, 9, 1), text, random }
const longId = '00000000-0000-4000-8000-000000000020'
const liveId = '00000000-0000-4000-8000-000000000001'
fs.writeFileSync(
  path.join(project, `${longId}.jsonl`),
  [...sessionLines({ ...options, sessionId: longId, steps: STEPS })].map((line) => `${line}\n`).join(''),
)
const lines = [...sessionLines({ ...options, sessionId: liveId, steps: 400 })]
const liveFile = path.join(project, `${liveId}.jsonl`)
fs.writeFileSync(liveFile, `${lines.splice(0, 20).join('\n')}\n`)

const hook = path.join(work, 'hook')
fs.copyFileSync(path.join(import.meta.dirname, '..', 'hooks', 'bashgym-hook.sh'), hook)
fs.chmodSync(hook, 0o700)
const env = { HOME: work, BASHGYM_HOME: dataDir, CLAUDE_CONFIG_DIR: claudeDir }
const server = await startMeasured(env)
await new Promise<void>((resolve) =>
  server.onMessage((message) => {
    if (message.type === 'job:complete') resolve()
  }),
)

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const watched: number[] = []
const hooked: number[] = []
let resolveUpdate: (() => void) | null = null
server.onMessage((message) => {
  const { id, trace } = message.payload as { id?: string; trace?: { sessionId: string } }
  if (id !== undefined && message.type === 'trace:updated' && trace?.sessionId === liveId) resolveUpdate?.()
})
function ringHook(): void {
  const payload = { session_id: liveId, transcript_path: liveFile, cwd: options.cwd, hook_event_name: 'PostToolUse', tool_name: 'Bash' }
  execFileSync('/bin/sh', [hook], { input: JSON.stringify(payload), env: { HOME: work, BASHGYM_HOME: dataDir } })
}

/** Appends two records, optionally fires the hook, and returns the ms until the session's update is sent. */
async function grow(isHooked: boolean): Promise<number> {
  const updated = new Promise<void>((resolve) => (resolveUpdate = resolve))
  const started = performance.now()
  fs.appendFileSync(liveFile, `${lines.splice(0, 2).join('\n')}\n`)
  if (isHooked) ringHook()
  const timer = setTimeout(() => {
    throw new Error('A change of a live session was not sent within 10 s.')
  }, 10_000)
  await updated
  clearTimeout(timer)
  return performance.now() - started
}
for (let round = 0; round < ROUNDS; round += 1) {
  await pause(PAUSE_MS)
  ;(round % 2 === 0 ? hooked : watched).push(await grow(round % 2 === 0))
}

const shown = await onScreen()

const list = await server.get<{ items: { id: string; sessionId: string }[] }>('/api/traces?limit=10')
const { id } = list.items.find(({ sessionId }) => sessionId === longId)!
const read = (place: string) => () => server.get(`/api/traces/${id}${place}`)
const readTimeline = async () => {
  for (let cursor: string | null = ''; cursor !== null;)
    cursor = (await server.get<{ nextCursor: string | null }>(`/api/traces/${id}/timeline?cursor=${cursor}`)).nextCursor
}
const requests: [string, () => Promise<unknown>][] = [
  ['detail', read('?segments=false')], // as the app requests it
  ['timeline', readTimeline],
  ['first page of the transcript', read('/transcript?limit=50')],
  ['one part of the timeline', read('/timeline')],
  ['a page in the middle of the steps', read(`/steps?limit=50&cursor=${(STEPS / 2).toString(16).padStart(8, '0')}`)],
  ['detail with its tasks', read('')],
]
const opened: { what: string; p50: number; p95: number }[] = []
for (const [what, request] of requests) {
  const times: number[] = []
  for (let round = 0; round < 12; round += 1) {
    const started = performance.now()
    await request()
    times.push(performance.now() - started)
  }
  opened.push({ what, p50: percentile(times, 0.5), p95: percentile(times, 0.95) })
}
const figures = await server.figures()
await server.stop()
fs.rmSync(work, { recursive: true, force: true })

/** In a browser with the open list: ms from the hook to the frame in which the session's row shows one more call. */
async function onScreen(): Promise<number[]> {
  if (!fs.existsSync(chromiumOptions.executablePath)) return []
  const browser = await chromium.launch(chromiumOptions)
  const page = await browser.newPage()
  await page.goto((await server.post<{ url: string }>('/api/session/link')).url)
  await page.goto(`${server.url}/traces`)
  const times: number[] = []
  for (let round = 0; round < ROUNDS / 2; round += 1) {
    const { items } = await server.get<{ items: { sessionId: string; counts: { toolCalls: number } }[] }>('/api/traces?limit=10')
    const calls = items.find(({ sessionId }) => sessionId === liveId)!.counts.toolCalls
    const isThere = (wanted: number) =>
      page.waitForFunction(
        (text) => [...document.querySelectorAll('[role=row]')].some((row) => [...row.children].some((cell) => cell.textContent === text)),
        String(wanted),
        { polling: 'raf' },
      )
    await isThere(calls)
    await pause(PAUSE_MS)
    const next = isThere(calls + 1)
    const started = performance.now()
    fs.appendFileSync(liveFile, `${oneCall(round)}\n`)
    ringHook()
    await next
    times.push(performance.now() - started)
  }
  await browser.close()
  return times
}

/** A record with one more call. */
function oneCall(round: number): string {
  const content = [{ type: 'tool_use', id: `toolu_screen_${round}`, name: 'Bash', input: { command: 'ls' } }]
  const uuid = `00000000-0000-4000-9000-${String(round).padStart(12, '0')}`
  return JSON.stringify({
    type: 'assistant',
    uuid,
    parentUuid: null,
    sessionId: liveId,
    cwd: options.cwd,
    version: '2.1.197',
    timestamp: new Date().toISOString(),
    requestId: `req_${round}`,
    message: {
      id: `msg_screen_${round}`,
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  })
}

const ms = (values: readonly number[]) => `${percentile(values, 0.5).toFixed(0)} / ${percentile(values, 0.95).toFixed(0)} ms`
const openingP95 = opened.slice(0, 3).reduce((sum, { p95 }) => sum + p95, 0)
report(
  'live',
  [
    { what: 'hook fired → message, p50 / p95', figure: ms(hooked), limit: 'p95 ≤ 150 ms', met: percentile(hooked, 0.95) <= 150 },
    {
      what: 'hook fired → row on screen in Chromium, p50 / p95',
      figure: shown.length ? ms(shown) : 'no Chromium here',
      limit: 'p95 ≤ 250 ms',
      met: shown.length ? percentile(shown, 0.95) <= 250 : null,
    },
    { what: 'transcript grew, no hook → message, p50 / p95', figure: ms(watched), limit: '', met: null },
    ...opened.map(({ what, p50, p95 }) => ({
      what: `${STEPS.toLocaleString('en')} calls: ${what}, p50 / p95`,
      figure: `${p50.toFixed(0)} / ${p95.toFixed(0)} ms`,
      limit: '',
      met: null,
    })),
    {
      what: `${STEPS.toLocaleString('en')} calls: the first three requests together, p95`,
      figure: `${openingP95.toFixed(0)} ms`,
      limit: '≤ 500 ms',
      met: openingP95 <= 500,
    },
    { what: 'event-loop delay, p99', figure: `${figures.p99Ms.toFixed(1)} ms`, limit: '', met: null },
  ],
  { hooked, watched, shown, opened, figures },
)
