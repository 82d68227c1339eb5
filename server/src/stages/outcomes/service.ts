import { setImmediate } from 'node:timers/promises'
import type { Outcome, OutcomeReport } from '#contracts/entities/outcome.ts'
import { AppError } from '#contracts/errors.ts'
import type { Git } from '#server/adapters/git/index.ts'
import type { Core } from '#server/core.ts'
import { isoOf } from '#server/instant.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { Lists } from '../traces/index.ts'
import type { SessionEnd } from './outcome.ts'
import type { OutcomeRow, OutcomesInput } from './outcomes.job.ts'

export interface OutcomeDeps {
  lists: Pick<Lists, 'ends' | 'ids'>
  git: Pick<Git, 'top' | 'history'>
}

interface Row {
  label: Outcome['label']
  days: number
  at: number
  facts: string
  problem: string | null
}

const DAY_MS = 86_400_000
const MAX_PROBLEMS = 100
/** Rows that are stored before others get their turn. */
const AT_ONCE = 100
const JOB = new URL('./outcomes.job.ts', import.meta.url)

/** Looks up what happened after sessions, and stores it. */
export function createOutcomes({ db, tx, now, workers }: Pick<Core, 'db' | 'tx' | 'now' | 'workers'>, { lists, git }: OutcomeDeps) {
  const put = db.prepare('INSERT OR REPLACE INTO trace_outcomes (trace_id, label, days, at, facts, problem) VALUES (?, ?, ?, ?, ?, ?)')
  const select = db.prepare<[string], Row>('SELECT label, days, at, facts, problem FROM trace_outcomes WHERE trace_id = ?')
  const drop = db.prepare('DELETE FROM trace_outcomes WHERE trace_id = ?')
  const forgotten = db.prepare<[string], object>('SELECT 1 FROM forgotten WHERE trace_id = ?')

  const store = (outcomes: readonly OutcomeRow[], days: number, problem: string | null): void =>
    tx(() => {
      for (const { traceId, label, facts } of outcomes) if (!forgotten.get(traceId)) put.run(traceId, label, days, now(), facts, problem)
    })

  return {
    get(traceId: string): Outcome | null {
      const row = select.get(traceId)
      return row ? { traceId, ...row, at: isoOf(row.at), facts: JSON.parse(row.facts) as Outcome['facts'] } : null // written by store
    },
    forget: (traceId: string): void => void drop.run(traceId),
    async lookUp(
      traceIds: readonly string[],
      days: number,
      { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
    ): Promise<OutcomeReport> {
      const report: OutcomeReport = { traces: 0, labels: { kept: 0, corrected: 0, open: 0, unknown: 0 }, problems: [] }
      const rows = await lists.ends(traceIds)
      const byFolder = Map.groupBy(rows, ({ cwd }) => cwd ?? '')
      const byRepository = new Map<string, { problem: string | null; sessions: SessionEnd[] }>()
      for (const [cwd, found] of byFolder) {
        signal.throwIfAborted()
        const { top, problem } = cwd === '' ? { top: null, problem: 'Its folder is not known.' } : await repositoryOf(git, cwd)
        const key = top ?? `\0${cwd}`
        const group = byRepository.get(key) ?? { problem, sessions: [] }
        group.sessions.push(...found.map(sessionEnd))
        byRepository.set(key, group)
      }
      for (const [top, { problem: unread, sessions }] of byRepository) {
        signal.throwIfAborted()
        const commits = sessions.flatMap((session) => session.commits.map(({ sha }) => sha))
        const since = Math.min(now(), ...sessions.flatMap((session) => session.commits.flatMap(({ at }) => at ?? []))) - DAY_MS
        const { history, problem } =
          unread !== null || commits.length === 0
            ? { history: null, problem: unread }
            : await git.history(top, { since, commits }, signal).then(
                (read) => ({ history: read, problem: null }),
                (error: unknown) => {
                  signal.throwIfAborted()
                  if (!(error instanceof AppError)) throw error
                  return { history: null, problem: error.message }
                },
              )
        if (problem !== null && commits.length > 0 && report.problems.length < MAX_PROBLEMS)
          report.problems.push({ folder: top.replace('\0', ''), message: problem, sessions: sessions.length })
        const input: OutcomesInput = { sessions, history, days, now: now(), problem }
        const all = await workers.run<OutcomeRow[]>(JOB, input, { lane: 'bulk', signal })
        for (let at = 0; at < all.length; at += AT_ONCE) {
          const outcomes = all.slice(at, at + AT_ONCE)
          store(outcomes, days, problem)
          for (const { label } of outcomes) report.labels[label] += 1
          report.traces += outcomes.length
          progress({ phase: 'reading repositories', done: report.traces, total: rows.length, unit: 'sessions' })
          await setImmediate()
        }
      }
      return report
    },
  }
}

async function repositoryOf(git: OutcomeDeps['git'], cwd: string): Promise<{ top: string | null; problem: string | null }> {
  try {
    const top = await git.top(cwd)
    return { top, problem: top === null ? 'Its folder is gone, or in no repository.' : null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { top: null, problem: error.message }
  }
}

function sessionEnd(row: Awaited<ReturnType<Lists['ends']>>[number]): SessionEnd {
  const { id, endedAt, verification, commits, prompt, nextId, nextAt, nextPrompt } = row
  const inside = prompt === null ? null : (JSON.parse(prompt) as { id: string; at: number | null; text: string | null }) // of the statement
  return {
    traceId: id,
    endedAt,
    verification,
    commits: JSON.parse(commits) as SessionEnd['commits'], // written by the store of traces
    nextPrompt:
      inside !== null
        ? { traceId: id, stepId: inside.id, at: inside.at, text: inside.text }
        : nextId !== null
          ? { traceId: nextId, stepId: null, at: nextAt, text: nextPrompt }
          : null,
  }
}
