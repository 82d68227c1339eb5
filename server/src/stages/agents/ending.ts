import { notVerified } from '#contracts/check-words.ts'
import type { CheckReport } from '#contracts/entities/check.ts'
import type { Task } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import { inForeign } from '#server/foreign/index.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { AgentFailed } from './driver.ts'
import type { Ending } from './service.ts'
import type { TaskFacts } from './store.ts'

interface EndedWork {
  verification: CheckReport
  end: NonNullable<TaskFacts['agentEnd']>
  changed: boolean
  traceId: string | null
}

/** The result of checks counts more than the agent's own claim. What could not be checked is not verified, whatever the agent says. */
export function endingOf({ verification, end, changed, traceId }: EndedWork): Ending {
  const { status, newFailures, failed, total, reason, isDoubted } = verification
  const facts = { verification, traceId, detail: end.claim === 'failure' ? end.message : null }
  if (status === 'passed') return { state: changed ? 'review' : 'done', facts }
  if (status === 'none' && end.claim === 'success') return { state: 'unverified', facts }
  if (status === 'error' && !isDoubted) return { state: 'unverified', facts: { ...facts, detail: notVerified(reason) } }
  const message =
    status === 'none'
      ? end.message
      : status === 'error'
        ? `The results of the checks are not trusted: ${reason ?? 'no reason is known'}`
        : newFailures.length > 0
          ? `${newFailures.length} of ${total ?? '?'} checks passed before the change and fail after it.`
          : failed === null
            ? 'The checks failed.'
            : `${failed} of ${total ?? '?'} checks failed.`
  const hint =
    status === 'none' ? null : 'Read the output of the checks, then send the agent a message about what is wrong; it continues from here.'
  return { state: 'failed', facts: { ...facts, detail: null, error: { boundary: 'task', message, hint } } }
}

export function errorOf(error: unknown): NonNullable<Task['error']> {
  if (error instanceof AgentFailed) return { boundary: error.boundary, message: error.message, hint: error.hint }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof AppError) return { boundary: SANDBOX_ERRORS.has(error.code) ? 'sandbox' : 'ours', message, hint: error.hint ?? null }
  return { boundary: 'ours', message, hint: null }
}
const SANDBOX_ERRORS: ReadonlySet<string> = new Set(['engine_failed', 'session_lost', 'backend_unavailable', 'isolation_unavailable', 'image_unavailable', 'sandbox_not_started', 'sandbox_capacity']) // prettier-ignore

/** Stops a sandbox, but keeps its record with the list of commands. */
export async function stopSandbox(sandboxes: Sandboxes, id: string): Promise<void> {
  const { status } = sandboxes.get(id)
  if (status === 'stopped') return
  await sandboxes.stop(id, status === 'created')
}

/** In bytes. Links are not followed: the folder has files of agents. */
export const sizeOf = (root: string): Promise<number> =>
  inForeign(root, async (folder) => {
    let bytes = 0
    for await (const { name, kind } of folder.walk()) if (kind === 'file') bytes += (await folder.find(name))?.size ?? 0
    return bytes
  })
