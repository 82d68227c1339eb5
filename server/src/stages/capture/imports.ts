import type { ImportResult } from '#contracts/entities/capture.ts'
import type { Agent } from '#contracts/entities/common.ts'
import type { Job } from '#contracts/entities/job.ts'
import { AppError } from '#contracts/errors.ts'
import type { Disk } from '#server/disk.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { READABLE } from './agent.ts'
import type { Intake, IntakeProgress, IntakeRequest } from './intake.ts'
import { requireReadable } from './places.ts'

type ImportRequest = Pick<IntakeRequest, 'agent' | 'paths' | 'isExplicit' | 'includesKnownFiles'>

export interface ImportsOptions {
  jobs: Jobs
  disk: Disk
  intake: Intake
  /** Known places that exist, of one agent or of all. */
  placesOf: (agent: Agent | null) => string[]
  /** An import started or ended. */
  onChange: () => void
}

/** Runs imports as jobs: of paths from the user, of all known places, or of the samples. */
export function createImports({ jobs, disk, intake, placesOf, onChange }: ImportsOptions) {
  const running = new Set<string>()
  /** Running imports of all known places. */
  const knownPlaceJobs = new Set<string>()

  const runImport = async (
    request: ImportRequest & { reason: 'import' | 'samples' },
    job: { id: string; signal: AbortSignal; progress: (value: IntakeProgress) => void },
  ): Promise<ImportResult> => {
    running.add(job.id)
    if (!request.isExplicit && request.reason === 'import') knownPlaceJobs.add(job.id)
    onChange()
    try {
      // An earlier import may have archived sessions without deriving their rows (full disk).
      const derived = await intake.derivePending({ reason: 'import', jobId: job.id, signal: job.signal })
      const result = await intake.importFiles({
        ...request,
        lane: 'bulk',
        jobId: job.id,
        signal: job.signal,
        sample: request.reason === 'samples',
        onProgress: job.progress,
      })
      return { ...result, errors: [...derived.errors, ...result.errors] }
    } catch (error) {
      disk.reportIfFull(error)
      throw error
    } finally {
      running.delete(job.id)
      knownPlaceJobs.delete(job.id)
      onChange()
    }
  }

  const start = (kind: 'import' | 'samples', request: ImportRequest): Job =>
    jobs.start(kind, (context) =>
      runImport(
        { ...request, reason: kind },
        {
          id: context.id,
          signal: context.signal,
          progress: (value) =>
            context.progress({
              phase: value.phase,
              done: value.sessions,
              total: value.sessionsTotal,
              unit: 'sessions',
              ...(value.bytesTotal !== null && { bytesDone: value.bytes, bytesTotal: value.bytesTotal }),
            }),
        },
      ),
    )

  const startImport = ({ paths = [], agent = null }: { paths?: string[] | undefined; agent?: Agent | null | undefined }): Job => {
    if (agent !== null && !READABLE.includes(agent)) {
      throw new AppError('path_refused', {
        message: `${agent} sessions cannot be imported. Supported agents: ${READABLE.join(', ')}.`,
        hint: 'Omit the agent, or use one of these.',
      })
    }
    const isExplicit = paths.length > 0
    return start('import', { agent, paths: isExplicit ? paths.map(requireReadable) : placesOf(agent), isExplicit })
  }

  /** Stops imports of known places; committed sessions are kept. Returns whether one was running. */
  const stop = async (): Promise<boolean> => {
    const ids = [...knownPlaceJobs]
    for (const id of ids) jobs.cancel(id)
    await Promise.all(ids.map((id) => jobs.wait(id)))
    return ids.length > 0
  }

  /** Whether any import was ever started, regardless of its result. */
  const hasRun = (): boolean => jobs.list({ kinds: ['import'], limit: 1 }).total > 0

  return { start, stop, startImport, hasRun, isRunning: () => running.size > 0 }
}
