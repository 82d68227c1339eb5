import { parseArgs } from 'node:util'
import { AnalyticsBy } from '#contracts/entities/profile.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import { readProfile } from '#server/stages/observability/profile.ts'
import { createTraces } from '#server/stages/traces/index.ts'
import { entryValues, responseValues } from '#server/stages/traces/rows.ts'
import { factsOf } from '#server/stages/traces/slices.ts'
import { createTraceStore } from '#server/stages/traces/store.ts'
import { testEntry, testId, testOutput } from '#server/stages/traces/testing.ts'
import { openCore } from '#server/testing/core.ts'
import { report } from './support/report.ts'

/**
 * Processor time of the profile of a session of 20,000 spans as the text that is sent (at most 300 ms), and of sums over 10,000 sessions of 50 calls by
 * repository, model, tool and week (goal: 100 ms). Rows are inserted through the store.
 *
 *     npm run bench -- profiles [--sessions N] [--calls N]
 */
const { values } = parseArgs({
  options: { sessions: { type: 'string', default: '10000' }, calls: { type: 'string', default: '50' } },
  allowPositionals: true,
})
const SESSIONS = Number(values.sessions)
const CALLS = Number(values.calls)
const LONG_CALLS = 10_000
const PROFILE_MS = 300
const ANALYTICS_MS = 100
const ROUNDS = 5

const core = openCore()
const store = createTraceStore(core.db)
let question = 0
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
const TOOLS = ['Bash', 'Read', 'Edit', 'Write', 'Grep', 'Glob', 'Task', 'WebFetch']
const MODELS = ['claude-sonnet-4-5', 'claude-haiku-4-5', 'claude-opus-4-5']
const NOW = Date.parse('2026-10-01T00:00:00Z')

function addSession(session: string, calls: number, index: number): string {
  const id = testId(session)
  const model = MODELS[index % MODELS.length]!
  const startedAt = NOW - (index % 365) * 86_400_000
  const entries = Array.from({ length: calls }, (_, call) => {
    const at = startedAt + call * 10_000
    return testEntry(id, call + 1, { tool: TOOLS[(index + call) % TOOLS.length]!, model, at, endedAt: at + ((call * 7919) % 9000) })
  })
  const usage = { input: 100, output: 20, cacheRead: 5000, cacheWrite: 100 }
  const total = Object.fromEntries(Object.entries(usage).map(([kind, count]) => [kind, count * calls])) as typeof usage
  const output = testOutput({
    session,
    entries,
    trace: {
      repo: `repo-${index % 40}`,
      startedAt,
      endedAt: startedAt + calls * 10_000,
      models: [model],
      tokensByModel: { [model]: total },
    },
    responses: entries.map(({ messageId }) => ({ key: `${id} ${messageId}`, messageId, model, agent: 'main', ...usage })),
  })
  core.tx(() => {
    const no = store.reserveNo()
    store.insertEntries(
      no,
      1,
      entries.map((entry) => entryValues(id, entry)),
    )
    store.writeResponses(no, output.responses.map(responseValues))
    const facts = { ...factsOf(entries), costUsd: 0.1, version: 'bench', sample: false, pending: { entries: 0, bytes: 0 } }
    store.writeTrace(no, true, 1, { derived: output.trace, ...facts })
  })
  return id
}

const long = addSession('long', LONG_CALLS, 0)
for (let index = 0; index < SESSIONS; index += 1) addSession(`bench-${index}`, CALLS, index)

/** Of all threads, so that other work on the machine does not count. */
async function processorMs(measure: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await measure()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function median(measure: () => unknown): Promise<number> {
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    times.push(await processorMs(measure))
  }
  return times.slice(1).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]! // the first warms up
}

const db = readOnlyOfThread(core.paths.database)
const spans = readProfile(db, long, [])!.spans.length
const profileMs = await median(() => JSON.stringify(readProfile(db, long, [])))
const sums: Record<string, number> = {}
// each filter is another question, which nothing was kept for
const ask = (by: AnalyticsBy) => traces.analytics(by, `calls:>=0${' '.repeat((question += 1))}`)
const firstMs = await processorMs(() => ask('tool'))
for (const by of AnalyticsBy.options) sums[by] = await median(() => ask(by))
report(
  'profiles',
  [
    {
      what: `profile of ${spans} spans, as text`,
      figure: `${profileMs.toFixed(0)} ms`,
      limit: `≤ ${PROFILE_MS} ms`,
      met: profileMs <= PROFILE_MS,
    },
    { what: `${SESSIONS} sessions of ${CALLS} calls by tool, the first time`, figure: `${firstMs.toFixed(0)} ms`, limit: '', met: null },
    ...Object.entries(sums).map(([by, ms]) => ({
      what: `${SESSIONS} sessions of ${CALLS} calls by ${by}`,
      figure: `${ms.toFixed(0)} ms`,
      limit: `≤ ${ANALYTICS_MS} ms`,
      met: ms <= ANALYTICS_MS,
    })),
  ],
  { spans, profileMs, firstMs, sums },
)
await traces.close()
await core.close()
