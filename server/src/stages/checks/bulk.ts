import type { BulkChecks } from '#contracts/entities/check.ts'
import { AppError } from '#contracts/errors.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { performEach } from '#server/runs/pool.ts'
import type { Checks } from './service.ts'

const MAX_PROBLEMS = 100
/** Errors that would occur for every other session, too. */
const MISSING_ENGINE: ReadonlySet<string> = new Set(['isolation_unavailable', 'backend_unavailable'])

interface Deps {
  checks: Pick<Checks, 'runOfTrace'>
  /** The project folder of a session; '' if it is not known. Throws `trace_not_found`. */
  projectOf: (traceId: string) => string
  /** How many sandboxes may run at the same time. */
  sandboxLimit: () => number
}

/** Checks the states that many sessions left, but never two sessions of one project at the same time. */
export async function checkMany(
  traceIds: readonly string[],
  { timeoutSec, atOnce }: { timeoutSec: number; atOnce: number },
  { checks, projectOf, sandboxLimit }: Deps,
  { id, signal, progress }: JobContext,
): Promise<BulkChecks> {
  const result: BulkChecks = {
    traces: traceIds.length,
    passed: 0,
    failed: 0,
    error: 0,
    none: 0,
    notRestorable: 0,
    notRun: 0,
    scored: 0,
    problems: [],
  }
  let done = 0
  const reportProgress = () => progress({ phase: 'checking', done, total: traceIds.length, unit: 'sessions', message: sentenceOf(result) })

  const checkOne = async (traceId: string, stop: AbortSignal): Promise<void> => {
    try {
      const { report, counts } = await checks.runOfTrace(traceId, { timeoutSec }, { id, signal: stop, progress: () => {} })
      result[report.status] += 1
      if (counts) result.scored += 1
    } catch (error) {
      stop.throwIfAborted()
      if (!(error instanceof AppError) || MISSING_ENGINE.has(error.code)) throw error
      result[error.code === 'state_not_restorable' ? 'notRestorable' : 'notRun'] += 1
      if (result.problems.length < MAX_PROBLEMS) result.problems.push({ traceId, message: error.message })
    }
    done += 1
    reportProgress()
  }

  reportProgress()
  const queues = Map.groupBy(traceIds, (traceId) => projectOrOwn(projectOf, traceId)).values()
  await performEach(queues, { places: () => Math.max(1, Math.min(atOnce, sandboxLimit())), signal }, async (queue, stop) => {
    for (const traceId of queue) {
      stop.throwIfAborted()
      await checkOne(traceId, stop)
    }
  })
  return result
}

/** Sessions without a known project do not wait for each other. */
function projectOrOwn(projectOf: Deps['projectOf'], traceId: string): string {
  try {
    return projectOf(traceId) || traceId
  } catch {
    return traceId
  }
}

/** "3 passed, 1 failed" */
const sentenceOf = ({ passed, failed, error, none, notRestorable, notRun }: BulkChecks): string =>
  (
    [
      [passed, 'passed'],
      [failed, 'failed'],
      [error, 'not verified'],
      [none, 'without checks'],
      [notRestorable, 'not restorable'],
      [notRun, 'not run'],
    ] as const
  )
    .flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : []))
    .join(', ')
