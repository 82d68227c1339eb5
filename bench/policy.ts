import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { startTestServer } from '#server/testing/server.ts'
import { codeText, randomOf, sessionLines } from './support/history.ts'
import { percentile, report } from './support/report.ts'

/**
 * Cost of a change of the privacy policy: every example under review is rebuilt and filtered again in the background.
 * The sessions have 8 to 24 calls. The time ends when no example is stale; meanwhile the list of examples is queried.
 *
 *     npm run bench -- policy [--sessions N]
 */
const { values } = parseArgs({ options: { sessions: { type: 'string', default: '1000' } }, allowPositionals: true })
const SESSIONS = Number(values.sessions)

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-bench-policy-'))
const random = randomOf(11)
const text = codeText(1_000_000, random)
let bytes = 0
for (let index = 0; index < SESSIONS; index += 1) {
  const sessionId = `dddddddd-0000-4000-8000-${String(index).padStart(12, '0')}`
  const start = Date.UTC(2026, 9, 1) + index * 600_000
  const steps = 8 + Math.floor(random() * 17)
  const lines = [...sessionLines({ sessionId, cwd: `/home/dev/project-${index % 20}`, bytes: 0, start, text, random, steps })]
  const all = lines.map((line) => `${line}\n`).join('')
  bytes += all.length
  fs.writeFileSync(path.join(folder, `${sessionId}.jsonl`), all)
}

const server = await startTestServer()
const { core } = server.app
const { client } = server
const done = async (job: { id: string }) => {
  const ended = await core.jobs.wait(job.id)
  if (ended.error) throw new Error(ended.error.message)
  return ended
}
await done(await client.startImport({ body: { paths: [folder] } }))
await done(await client.startPrivacyScan({ body: {} }))
const made = performance.now()
await done(await client.buildExamples({ body: { selection: { filter: {} }, minQuality: 0, unverified: true } }))
const madeMs = performance.now() - made
const { total } = await client.listExamples({ query: { limit: 1 } })

const stale = core.db.prepare<[], { n: number }>('SELECT count(*) AS n FROM example_sources WHERE stale > 0')
const { promise: settled, resolve } = Promise.withResolvers<void>()
const unfollow = core.events.subscribe((message) => {
  if (message.type === 'examples:changed' && stale.get()!.n === 0) resolve()
})
const cpu = process.cpuUsage()
const began = performance.now()
await client.patchSettings({ body: { privacy: { confidenceThreshold: 0.6 } } })
const saved = performance.now() - began
const waits: number[] = []
const end = { isReached: false }
void settled.then(() => (end.isReached = true))
while (!end.isReached) {
  const asked = performance.now()
  await client.listExamples({ query: { limit: 100 } })
  waits.push(performance.now() - asked)
}
const ms = performance.now() - began
const used = process.cpuUsage(cpu)
unfollow()
const perSecond = (SESSIONS / ms) * 1000
report(
  'policy',
  [
    { what: `make ${total} examples of ${SESSIONS} sessions`, figure: `${(madeMs / 1000).toFixed(1)} s`, limit: '–', met: null },
    { what: 'save the policy', figure: `${saved.toFixed(0)} ms`, limit: '–', met: null },
    {
      what: 'until every example is of the new one',
      figure: `${(ms / 1000).toFixed(1)} s, ${perSecond.toFixed(0)} sessions/s`,
      limit: '–',
      met: null,
    },
    { what: 'processor time of it', figure: `${((used.user + used.system) / 1e6).toFixed(1)} s`, limit: '–', met: null },
    {
      what: 'list of examples meanwhile, p50 / p95',
      figure: `${percentile(waits, 0.5).toFixed(0)} / ${percentile(waits, 0.95).toFixed(0)} ms`,
      limit: '–',
      met: null,
    },
  ],
  { sessions: SESSIONS, bytes, examples: total, madeMs, savedMs: saved, ms, cpuMs: (used.user + used.system) / 1000, lists: waits.length },
)
await server.close()
fs.rmSync(folder, { recursive: true, force: true })
