import type { VerifyReport } from '#contracts/entities/system.ts'
import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import { tracesRoutes } from './routes.ts'
import { createTracesService } from './service.ts'
import type { TracesDeps } from './service.ts'
import { createAnswerScores } from './answer-scores.ts'
import { foldersOf, usesOf } from './uses.ts'
import { createTraceRuns } from './trace-runs.ts'

/** Sessions as rows: lists, pages, search, and the user's decisions. */
export function createTraces(core: Core, deps: TracesDeps) {
  const service = createTracesService(core, deps)
  const answerScores = createAnswerScores(core.db)
  const stage: Stage = {
    name: 'traces',
    routes: tracesRoutes(service, core.now),
    forget(traceId) {
      service.forgetRows(traceId)
      answerScores.forget(traceId)
    },
    close: () => service.close(),
    settings: [
      {
        select: ({ prices }) => prices,
        onChange: () =>
          void service
            .recomputeCosts()
            .catch((error: unknown) => core.log.error({ err: error }, "couldn't recompute costs after a change of prices")),
      },
    ],
    figures: service.stats,
    checks: () => ({ search: service.searchProblems().length > 0 ? 'failed' : 'ok' }),
  }
  return {
    ...service,
    stage,
    runs: createTraceRuns(core.db),
    uses: () => usesOf(service.lists),
    folders: (most: number) => foldersOf(service.lists, most),
    answerScores,
    /** Checks the archive against its manifests and the database. */
    verify: (signal: AbortSignal) =>
      core.workers.run<VerifyReport>(
        new URL('./verify.job.ts', import.meta.url),
        { database: core.paths.database, archive: core.paths.archive },
        { lane: 'bulk', signal },
      ),
  }
}

export type { TracesDeps, TracesService } from './service.ts'
export type { PolicyScore } from './decisions/service.ts'
export type { Lists } from './list.ts'
export type { AnalyserUse } from './deriving.ts'
export type { DerivedTrace, EntryRow, ResponseRow } from './derived.ts'
export type { Analyser, ParsedStep, Passage, PassageReader } from './types.ts'
export { READER_VERSION } from './readers/version.ts'
export { stepOfCall } from './readers/claude-code/ingest.ts'
export { resultText } from './readers/claude-code/record.ts'
export { traceDirOf } from './rows.ts'
export { readArchived } from './archived.ts'
export type { ArchivedSession } from './archived.ts'
export { readOutline, readWhole } from './whole.ts'
export type { WholeTrace } from './whole.ts'
export { readTiming } from './timing.ts'
export type { SessionTiming, TimingEntry, TimingResponse } from './timing.ts'
export { unionOf, waitsOf } from './waits.ts'
export { readTranscriptFile } from './transcript-file.ts'
