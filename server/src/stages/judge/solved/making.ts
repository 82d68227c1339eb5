import fs from 'node:fs'
import path from 'node:path'
import type { ExamRequest } from '#contracts/entities/exam.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { createRecordedWork } from '../../factory/index.ts'
import type { ExamRow, ExamSession, ExamStore } from '../exam/store.ts'
import type { Candidate } from './candidates.ts'
import { type FinderDeps, tryWork, undoParts } from './find-tasks.ts'
import type { NotProven } from './prove.ts'
import { type SolvedStore, statesOf, type TaskRow } from './store.ts'

export interface MakingDeps extends FinderDeps {
  tx: Core['tx']
  store: ExamStore
  solved: SolvedStore
  work: Pick<ReturnType<typeof createRecordedWork>, 'calls'>
}

/** Below this, hunks are undone for further tasks. */
const FEW_TASKS = 20
/** Errors that say something about this machine, not about a session. */
const OF_THE_MACHINE: ReadonlySet<string> = new Set([
  'engine_failed',
  'backend_unavailable',
  'isolation_unavailable',
  'sandbox_capacity',
  'disk_full',
])

/** Tries the sessions that are still waiting, one after the other. What became of each is stored at once. */
export function createMaking(deps: MakingDeps): (id: string, context: JobContext) => Promise<void> {
  const { tx, store, solved, work, checks, folderOf } = deps
  const textsOf = async (
    traceId: string,
    { contextTokens, seed }: ExamRequest,
    prompt: string,
    signal: AbortSignal,
  ): Promise<ExamSession> => {
    const found = await work.calls({ traceId, most: 8, contextTokens, seed }, signal)
    return { traceId, repo: found?.repo ?? null, texts: [...(found?.texts ?? []), prompt] }
  }

  const tryCandidate = async (exam: ExamRow, traceId: string, context: JobContext): Promise<void> => {
    const end = (outcome: Candidate['outcome'], reason: string | null, detail: string | null) =>
      solved.setCandidate(exam.no, { traceId, outcome, reason, detail })
    const leaveOut = async (reason: string, detail: string | null) => {
      await fs.promises.rm(path.join(folderOf(exam.id), statesOf(traceId)), { recursive: true, force: true })
      tx(() => end('left_out', reason, detail))
    }
    let found: Omit<TaskRow, 'no'> | NotProven | null
    try {
      found = await checks.withStates(traceId, context, (session) => tryWork(deps, exam, traceId, session, context))
    } catch (error) {
      context.signal.throwIfAborted()
      if (!(error instanceof AppError) || OF_THE_MACHINE.has(error.code)) throw error
      const reason = error.code === 'state_not_restorable' ? 'its state before or after cannot be restored' : 'it cannot be tried'
      return leaveOut(reason, error.message)
    }
    if (found === null) return leaveOut('it was deleted meanwhile', null)
    if (!('id' in found)) return leaveOut(found.reason, found.detail)
    const task = found
    const session = await textsOf(traceId, exam.request, task.prompt, context.signal)
    tx(() => {
      if (store.isForgotten(traceId)) return
      store.addSession(exam.no, session)
      solved.addTask(exam.no, task)
      end('proven', null, null)
    })
  }
  return async (id, context) => {
    const exam = store.require(id)
    const { signal, progress } = context
    fs.mkdirSync(folderOf(id), { recursive: true, mode: 0o700 })
    const total = solved.waiting(exam.no).length
    for (const [done, traceId] of solved.waiting(exam.no).entries()) {
      signal.throwIfAborted()
      const inSession = { ...context, progress: () => progress({ phase: 'proving', done, total, unit: 'sessions' }) }
      inSession.progress()
      await tryCandidate(exam, traceId, inSession)
    }
    for (const traceId of exam.request.undo === 'never' ? [] : solved.notUndone(exam.no)) {
      signal.throwIfAborted()
      const all = solved.tasks(exam.no)
      if (exam.request.undo === 'few' && all.length >= FEW_TASKS) break
      const whole = all.find((task) => task.traceId === traceId && task.undone === null)
      const parts = whole ? await undoParts(deps, exam, whole, context) : []
      tx(() => {
        for (const part of parts) solved.addTask(exam.no, part)
        solved.setUndone(exam.no, traceId)
      })
    }
  }
}
