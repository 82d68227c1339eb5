import fs from 'node:fs'
import path from 'node:path'
import type { Core } from '#server/core.ts'
import type { DamagedTrace } from './archive/check.job.ts'
import type { Survey } from './archive/survey.ts'
import type { Intake } from './intake.ts'
import type { CaptureStore } from './store.ts'

const CHECK = new URL('./archive/check.job.ts', import.meta.url)
const SURVEY = new URL('./archive/survey.job.ts', import.meta.url)
/** Exists while a process uses the archive. If it exists at the start, the last process crashed. */
const OPEN_MARK = '.open'

interface RereadOptions {
  signal?: AbortSignal
  onProgress?: (done: number, total: number) => void
}

export interface ArchiveMaintenanceOptions {
  core: Core
  store: CaptureStore
  exclusive: Intake['exclusive']
  onProblem: (kind: string, message: string, hint: string | null) => void
}

/** Makes the archive and the tables that mirror its manifests consistent, after a crash and in a rebuild. */
export function createArchiveMaintenance({ core, store, exclusive, onProblem }: ArchiveMaintenanceOptions) {
  const { paths } = core
  const repaired: string[] = []

  const surveyArchive = (repair: boolean) => core.workers.run<Survey>(SURVEY, { archive: paths.archive, repair }, { lane: 'bulk' })

  /** After a crash: truncates partial writes and adds sources to the tables that only the manifests have. */
  const recover = async () => {
    const archived = await surveyArchive(true)
    if (archived.repaired.length > 0) {
      for (const sentence of archived.repaired) core.log.info(`Repaired: ${sentence}`) // each in the log; users see one line
      const [first] = archived.repaired
      const summary =
        archived.repaired.length === 1
          ? first!
          : `${archived.repaired.length} archive files had incomplete ends after a crash; they were removed and are read again from the agent's files (listed in the log). The first: ${first}`
      repaired.push(summary)
      onProblem('repaired', summary, null)
    }
    for (const sentence of archived.problems) onProblem('archive', sentence, 'Run `bashgym verify`.')
    core.tx(() => {
      for (const trace of archived.traces) {
        const missingSources = trace.sources.filter((source) => !store.hasSource(trace.traceId, source))
        if (missingSources.length > 0) store.save(trace, missingSources, false)
      }
    })
  }

  return {
    /** Creates the marker; repairs the archive first if the last process crashed. */
    async open(): Promise<void> {
      for (const folder of [paths.spool, paths.archive]) fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
      const mark = path.join(paths.archive, OPEN_MARK)
      // A deleted database is also refilled from the manifests.
      if (fs.existsSync(mark) || store.totals().traces === 0) await recover()
      fs.writeFileSync(mark, '', { mode: 0o600 })
    },
    close: () => fs.rmSync(path.join(paths.archive, OPEN_MARK), { force: true }),
    /** What the start repaired, one sentence each. */
    repaired: () => repaired,
    /**
     * Refills the tables from the manifests; every trace is then pending. Reads the whole archive, and reports
     * the traces with damaged bytes.
     */
    rebuildSources: (options: RereadOptions = {}): Promise<{ traces: number; problems: string[]; damaged: DamagedTrace[] }> =>
      exclusive(async () => {
        const archived = await surveyArchive(true)
        const damaged = await core.workers.run<DamagedTrace[]>(
          CHECK,
          { traces: archived.traces.map(({ traceId, sessionId, traceDir }) => ({ traceId, sessionId, traceDir })) },
          {
            lane: 'bulk',
            ...(options.signal && { signal: options.signal }),
            onProgress: (done) => options.onProgress?.(done as number, archived.traces.length), // check.job.ts reports numbers
          },
        )
        core.tx(() => {
          store.clear()
          for (const trace of archived.traces) store.save(trace, trace.sources, false)
        })
        return { traces: archived.traces.length, problems: [...archived.repaired, ...archived.problems], damaged }
      }),
    /** Every archived session, from the manifests and not from the database. */
    async *listArchived(this: void) {
      const archived = await surveyArchive(false)
      for (const { traceId, agent, sessionId, sample, traceDir } of archived.traces) yield { traceId, agent, sessionId, sample, traceDir }
    },
  }
}
