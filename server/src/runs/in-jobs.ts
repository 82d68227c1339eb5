import type { Job } from '#contracts/entities/job.ts'
import type { Core } from '#server/core.ts'
import type { JobContext, JobOptions } from '#server/jobs/jobs.ts'
import { Closing } from '#server/jobs/stops.ts'

/** How a run ended, for its row. */
export interface JobRunEnd<State extends string> {
  state: State | 'cancelled' | 'failed' | 'interrupted'
  message: string | null
}

interface InJobsDeps<State extends string> {
  /** Of its jobs. */
  kind: string
  /** Stores an end, in the caller's transaction. */
  end: (id: string, end: JobRunEnd<State>) => void
  /** Stores that the runs which are stored as running were interrupted. */
  interruptAll: (message: string) => void
  /** The message of an interrupted run. */
  interrupted: string
}

/** Runs that a job performs. One that the end of the server interrupts is stored as interrupted, and goes on in a new job. */
export function createInJobs<State extends string>(
  { tx, jobs }: Pick<Core, 'tx' | 'jobs'>,
  { kind, end, interruptAll, interrupted }: InJobsDeps<State>,
) {
  const endOf = (error: unknown, { aborted, reason }: AbortSignal): JobRunEnd<State> => {
    if (!aborted) return { state: 'failed', message: (error as Error).message }
    return reason instanceof Closing ? { state: 'interrupted', message: interrupted } : { state: 'cancelled', message: null }
  }
  return {
    /** Starts a job for a run. `store` stores that it runs; `perform` returns how it ended; `result` makes the result of the job. */
    begin(
      id: string,
      perform: (context: JobContext) => Promise<JobRunEnd<State>>,
      { store, result, ...options }: JobOptions & { store: (job: Job) => void; result: () => unknown },
    ): Job {
      const stored = Promise.withResolvers<void>()
      stored.promise.catch(() => undefined) // a job that waits for its turn looks at it later
      const work = async (context: JobContext): Promise<unknown> => {
        await stored.promise
        try {
          const ended = await perform(context)
          tx(() => end(id, ended))
        } catch (error) {
          tx(() => end(id, endOf(error, context.signal)))
          throw error
        }
        return result()
      }
      const job = jobs.start(kind, work, options)
      try {
        tx(() => store(job))
      } catch (error) {
        stored.reject(error)
        throw error
      }
      stored.resolve()
      return job
    },
    /** Call it when the server starts: the jobs of an earlier process have ended. */
    recover: (): void => tx(() => interruptAll(interrupted)),
  }
}
