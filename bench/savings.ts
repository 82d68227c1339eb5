import { parseArgs } from 'node:util'
import { StepRule } from '#contracts/settings/router.ts'
import { priceRules } from '#server/stages/router/rules/price.ts'
import { readSavings } from '#server/stages/router/savings/read.ts'
import { openCore } from '#server/testing/core.ts'
import { testId } from '#server/stages/traces/testing.ts'
import { report } from './support/report.ts'

/**
 * What a proven model would have saved, over 10,000 sessions of 100 requests in the main conversation and 40 in two sub-agents
 * (at most 5 s of a processor, in a worker, so that no other request waits), and what a rule for Claude's steps would have cost.
 *
 *     npm run bench -- savings [--sessions N]
 */
const { values } = parseArgs({ options: { sessions: { type: 'string', default: '10000' } }, allowPositionals: true })
const SESSIONS = Number(values.sessions)
const BUDGET_MS = 5000
const MODEL = 'claude-opus-5-5'

const core = openCore()
const { db } = core
const session = db.prepare(
  `INSERT INTO traces (no, id, rev, agent, session_id, started_at, ended_at, state, sample, models, prompts, tool_calls, failed_tool_calls,
     rejected_tool_calls, subagents, commits, turns, problems, cost_usd, policy_tier, tier, tier_rank, tier_source, verification,
     longest_failure_run, index_pending, index_pending_bytes, entrypoint)
   VALUES (@no, @id, 1, 'claude-code', @id, @at, @at, 'ended', 0, '[]', 5, 100, 0, 0, 2, 0, 5, 0, 9, 'gold', 'gold', 0, 'policy', 'passed', 0, 0, 0, 'cli')`,
)
const details = db.prepare(
  `INSERT INTO trace_details (trace, turn_list, subagents, files, problems, tools, tokens_by_model) VALUES (?, '[]', ?, '[]', '[]', '{}', '{}')`,
)
const response = db.prepare(
  'INSERT INTO responses (key, trace, model, agent, input, output, cache_read, cache_write, at) VALUES (?, ?, ?, ?, 10, 300, ?, 400, ?)',
)
const call = db.prepare(
  `INSERT INTO entries (trace, id, rev, ord, kind, agent, at, ended_at, tool, is_error, answered, edits, output_bytes, location, shared)
   VALUES (?, ?, 1, ?, 'call', ?, ?, ?, ?, 0, 1, 0, 0, '{}', ?)`,
)
let key = 0
db.transaction(() => {
  for (let no = 1; no <= SESSIONS; no += 1) {
    const id = testId(String(no))
    const begin = Date.UTC(2026, 0, 1) + no * 600_000
    session.run({ no, id, at: begin })
    const agents = ['a', 'b'].map((agent, at) => ({
      id: agent,
      type: 'general-purpose',
      parentStepId: `${id}:${agent}`,
      startedAt: new Date(begin + at * 1000).toISOString(),
      endedAt: new Date(begin + 90_000).toISOString(),
    }))
    details.run(no, JSON.stringify(agents))
    for (let step = 0; step < 140; step += 1) {
      const agent = step < 100 ? 'main' : step < 120 ? 'a' : 'b'
      const at = begin + step * 1000
      response.run((key += 1), no, MODEL, agent, 10_000 + step * 300, at)
      const isSpawn = step === 1 || step === 2
      call.run(
        no,
        isSpawn ? `:${step === 1 ? 'a' : 'b'}` : `:t${step}`,
        String(step).padStart(8, '0'),
        agent,
        at,
        at + 300,
        isSpawn ? 'Agent' : 'Bash',
        key,
      )
    }
  }
})()
const proof = { kind: 'solved_tasks' as const, share: { value: 0.9, low: 0.7, high: 0.97 }, pace: { ms: 4000, n: 20, of: 'call' as const } }
/** Processor time, because other programs may be at work. */
const cpuOf = <T>(work: () => T): { result: T; ms: number } => {
  const before = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(before)
  return { result, ms: Math.round((user + system) / 1000) }
}
const savings = cpuOf(() => readSavings(db, { proof, prices: [], maxSteps: 60 }))
const rules = [StepRule.parse({ when: 'turn_rest', model: 'claude-haiku-4-5' })]
const price = cpuOf(() => priceRules(db, { rules, prices: [] }))
await core.close()
const { rows } = savings.result
report(
  'savings',
  [
    {
      what: `all savings of ${SESSIONS} sessions`,
      figure: `${savings.ms} ms`,
      limit: `≤ ${BUDGET_MS} ms`,
      met: savings.ms <= BUDGET_MS,
    },
    { what: 'its rows', figure: `${rows.length}, ${Math.round(JSON.stringify(rows).length / 1000)} kB`, limit: '–', met: null },
    { what: `price of a rule, ${price.result.sessions} sessions`, figure: `${price.ms} ms`, limit: '–', met: null },
  ],
  { sessions: SESSIONS, savingsMs: savings.ms, priceMs: price.ms, sums: savings.result.sums, price: price.result },
)
