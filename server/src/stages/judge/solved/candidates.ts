import fs from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExamCandidate, ExamRequest } from '#contracts/entities/exam.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import type { TraceFilter } from '#contracts/routes/traces.ts'
import type { Git } from '#server/adapters/git/index.ts'
import { placeOf } from '../exam/make.ts'

export interface SessionRows {
  ids: (filter: TraceFilter) => Promise<string[]>
  trace: (id: string) => Trace
}

export type Candidate = Omit<ExamCandidate, 'tasks' | 'id'> & { traceId: string }

interface ChooseDeps {
  traces: SessionRows
  git: Pick<Git, 'top'>
  firstOf: (ids: readonly string[]) => Promise<ReadonlySet<string>>
  /** Sessions that the model was trained on that the exam is for. */
  seen: ReadonlySet<string>
}

const SESSIONS_PER_TURN = 100

/** The sessions that may give tasks, from what is stored about them: nothing is restored and nothing runs. */
export async function chooseCandidates(request: ExamRequest, { traces, git, firstOf, seen }: ChooseDeps): Promise<Candidate[]> {
  const { query, traceIds, unverified, seed, share = 1 } = request
  const matching = await traces.ids(query === undefined ? {} : { q: query })
  const wanted = traceIds && new Set(traceIds)
  const ids = (wanted ? matching.filter((id) => wanted.has(id)) : matching).toSorted()
  const first = await firstOf(ids)
  const folders = new Map<string, Promise<string | null>>()
  const folderProblem = (cwd: string) => {
    const known = folders.get(cwd) ?? problemOf(cwd, git)
    folders.set(cwd, known)
    return known
  }
  const reasonFor = (id: string, trace: Trace): Promise<string | null> | string | null => {
    if (trace.taskId !== null) return 'a run of an agent, not your own work'
    if (!first.has(id)) return 'shares records with another session'
    if (seen.has(id)) return 'this model was trained on it'
    if (placeOf(id, seed) >= share) return 'not in the share that is held out'
    if (trace.counts.prompts === 0) return 'nothing was asked'
    if (trace.verification === 'failed') return 'its last check failed'
    if (trace.verification !== 'passed' && !unverified) return 'no check passed in it'
    if (trace.startedAt === null || trace.cwd === null) return 'its folder or time is not recorded'
    return folderProblem(trace.cwd)
  }
  const found: Candidate[] = []
  for (const [index, traceId] of ids.entries()) {
    if (index % SESSIONS_PER_TURN === 0) await nextTurn()
    const trace = traces.trace(traceId)
    const reason = await reasonFor(traceId, trace)
    found.push({ traceId, outcome: reason === null ? 'waiting' : 'left_out', reason, detail: reason === null ? null : trace.cwd })
  }
  return found
}

async function problemOf(cwd: string, git: Pick<Git, 'top'>): Promise<string | null> {
  const isThere = await fs.promises.stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isThere) return 'its folder is gone from this machine'
  const top = await git.top(cwd).catch(() => null)
  return top === null ? 'its folder is no git repository that can be read' : null
}
