import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startStub } from '#server/adapters/llm/testing-stub.ts'
import { endpoint, ended, importSessions, makeExam, scripted } from '#server/stages/judge/exam/testing-exam.ts'
import { computeStatistics } from '#server/stages/judge/index.ts'
import { testId } from '#server/stages/traces/testing.ts'
import { startTestServer } from '#server/testing/server.ts'
import { report } from './support/report.ts'

/**
 * Exams: the search for sessions among 10,000 in 50 repositories, and the longest pause of the server meanwhile; the processor time
 * of a request of a run, with that of the endpoint; the statistics of 10,000 pairs.
 *
 *     npm run bench -- exams [--sessions N]
 */
const option = process.argv.indexOf('--sessions')
const SESSIONS = option < 0 ? 10_000 : Number(process.argv[option + 1])
const [REPOSITORIES, EXAMINED, PAIRS] = [50, 60, 10_000]
const [SEARCH_MS, PAUSE_MS, REQUEST_MS, STATISTICS_MS] = [60_000, 100, 5, 200]

/** Of all threads, so that what else runs on this machine does not count. */
const processorMs = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-bench-'))
const server = await startTestServer()
const { client } = server
const stub = await startStub(scripted)

const transcripts = path.join(folder, 'sessions')
fs.mkdirSync(transcripts)
const exam = await makeExam(client, await importSessions(client, transcripts, 0, EXAMINED))
const askedAt = process.cpuUsage()
const run = await client.startExamRun({
  params: { id: exam.id },
  body: { model: endpoint(stub, 'better'), against: endpoint(stub, 'base'), parallel: 4 },
})
if ((await ended(client, run)).owed > 0) throw new Error('Not every item was answered.')
const requestMs = processorMs(askedAt) / (2 * exam.items)

const repositories = Array.from({ length: REPOSITORIES }, (_, no) => {
  const repository = path.join(folder, `repository-${no}`)
  execFileSync('git', ['init', '-q', repository])
  return repository
})
const { db } = server.app.core
const first = 1 + (db.prepare<[], { no: number }>('SELECT max(no) AS no FROM traces').get()?.no ?? 0)
const session = db.prepare(
  `INSERT INTO traces (no, id, rev, agent, session_id, cwd, started_at, ended_at, state, sample, models, prompts, tool_calls, failed_tool_calls,
     rejected_tool_calls, subagents, commits, turns, problems, cost_usd, policy_tier, tier, tier_rank, tier_source, verification,
     longest_failure_run, index_pending, index_pending_bytes, entrypoint)
   VALUES (@no, @id, 1, 'claude-code', @id, @cwd, @at, @at, 'ended', 0, '[]', 5, 100, 0, 0, 2, 0, 5, 0, 9, 'gold', 'gold', 0, 'policy', 'passed', 0, 0, 0, 'cli')`,
)
db.transaction(() => {
  for (let no = first; no < first + SESSIONS; no += 1)
    session.run({ no, id: testId(String(no)), cwd: repositories[no % REPOSITORIES], at: Date.UTC(2026, 0, 1) + no * 600_000 })
})()
const search = async (kind: 'next_calls' | 'solved_tasks') => {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const began = performance.now()
  const { matching, sessions } = await client.planExam({ body: { kind } })
  const ms = performance.now() - began
  delay.disable()
  return { ms, pauseMs: delay.max / 1e6, found: `${sessions} of ${matching}` }
}
const [calls, tasks] = [await search('next_calls'), await search('solved_tasks')]

const values = (at: number) => Array.from({ length: PAIRS }, (_, no) => ((no * at) % 11) / 10)
const clusters = Array.from({ length: PAIRS }, (_, no) => String(Math.floor(no / 8)))
const sessions = Array.from({ length: PAIRS / 8 }, (_, no) => values(7).slice(8 * no, 8 * no + 8))
const computedAt = process.cpuUsage()
computeStatistics('paired', { base: values(3), candidate: values(7), clusters })
computeStatistics('bootstrap', { groups: sessions })
const statisticsMs = processorMs(computedAt)

await server.close()
await stub.close()
fs.rmSync(folder, { recursive: true })

const row = (what: string, ms: number, limit: number) => ({
  what,
  figure: `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`,
  limit: `≤ ${limit} ms`,
  met: ms <= limit,
})
report(
  'exams',
  [
    row(`calls of ${calls.found} sessions found`, calls.ms, SEARCH_MS),
    row(`tasks of ${tasks.found} sessions found`, tasks.ms, SEARCH_MS),
    row('longest pause of the server', Math.max(calls.pauseMs, tasks.pauseMs), PAUSE_MS),
    row(`a request of a run of ${exam.items} items, four at a time`, requestMs, REQUEST_MS),
    row(`statistics of ${PAIRS} pairs`, statisticsMs, STATISTICS_MS),
  ],
  { calls, tasks, requestMs, statisticsMs },
)
