import type { z } from 'zod'
import type { BatchTask, LeftOutSession } from '#contracts/entities/batch.ts'
import type { TaskStart } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import type { Selection, TraceFilter } from '#contracts/routes/traces.ts'
import type { Git } from '#server/adapters/git/index.ts'
import { realPath } from '#server/real-path.ts'
import { beginningOf } from '#server/stages/checks/index.ts'
import type { SessionBeginning } from './beginning.job.ts'

export interface SessionsDeps {
  git: Git
  /** Throws `filter_invalid`. */
  idsOf: (filter: TraceFilter) => Promise<string[]>
  /** Null if there is no such session. */
  beginning: (traceId: string, signal: AbortSignal) => Promise<SessionBeginning | null>
}

/** A task as a batch stores it. */
export type KeptTask = BatchTask & { start?: TaskStart | undefined }

/** The most tasks that a batch can have. */
export const MAX_TASKS = 10_000
/** Errors of one session, with which the others can still be repeated. */
const ABOUT_ONE: ReadonlySet<string> = new Set(['state_not_restorable', 'trace_not_found', 'path_refused'])
const ONLY_IMAGES = /^(?:\s*\[image\])*\s*$/

/** Makes a task from each session, to be repeated from the commit that the session started from. Returns the other sessions with the reason why they cannot be repeated. */
export async function tasksOf(
  selection: z.infer<typeof Selection>,
  { git, idsOf, beginning }: SessionsDeps,
  signal: AbortSignal,
): Promise<{ tasks: KeptTask[]; leftOut: LeftOutSession[] }> {
  const ids = 'ids' in selection ? [...new Set(selection.ids)] : await idsOf(selection.filter)
  if (ids.length > MAX_TASKS)
    throw new AppError('invalid_request', { message: `The filter finds ${ids.length} sessions, and a batch has at most ${MAX_TASKS} tasks.`, hint: 'Narrow the filter.' }) // prettier-ignore
  const tasks: KeptTask[] = []
  const leftOut: LeftOutSession[] = []
  for (const traceId of ids) {
    signal.throwIfAborted()
    try {
      tasks.push(await taskOf(traceId, await beginning(traceId, signal), git))
    } catch (error) {
      if (!(error instanceof AppError) || !ABOUT_ONE.has(error.code)) throw error
      leftOut.push({ traceId, reason: error.message })
    }
  }
  if (tasks.length > 0) return { tasks, leftOut }
  if (leftOut[0] === undefined)
    throw new AppError('invalid_request', {
      message: 'The filter finds no session.',
      hint: 'Try the filter with `bashgym traces --query`.',
    })
  throw new AppError('state_not_restorable', {
    message: `${leftOut.length === 1 ? 'The session' : `None of the ${leftOut.length} sessions`} can${leftOut.length === 1 ? 'not' : ''} be repeated. ${leftOut[0].reason}`,
    details: { leftOut },
  })
}

async function taskOf(traceId: string, began: SessionBeginning | null, git: Git): Promise<KeptTask> {
  if (began === null) throw new AppError('trace_not_found')
  const { prompt } = began
  if (prompt === null || ONLY_IMAGES.test(prompt))
    throw new AppError('state_not_restorable', { message: 'The user of this session wrote no text, so there is no task.' })
  const { cwd, commit } = await beginningOf(began, git)
  return { key: traceId, prompt: prompt.trim(), directory: realPath(cwd), start: { traceId, commit } }
}
