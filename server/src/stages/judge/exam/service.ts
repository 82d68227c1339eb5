import type { Exam } from '#contracts/entities/exam.ts'
import { isoOf } from '#server/instant.ts'
import type { Dataset } from '#contracts/entities/dataset.ts'
import type { Core } from '#server/core.ts'
import type { createRecordedWork, HeldOutItem } from '../../factory/index.ts'
import type { ReadCalls } from './ask.ts'
import { createExamMaker } from './make.ts'
import { createExamModels, type ExamModelsDeps } from './models.ts'
import { createExamRuns } from './runs.ts'
import { createExamStore, type ExamRow } from './store.ts'

export interface ExamDeps extends ExamModelsDeps {
  work: ReturnType<typeof createRecordedWork>
  datasets: { find: (id: string) => Dataset | null; ids: () => string[] }
  readCalls: ReadCalls
  version: string
  newId: () => string
  /** Called in the transaction that decides a run of a model of the registry. */
  onDecided: (modelId: string) => void
  /** Whether a probe found that a model repeats its training data. */
  leaks: (modelId: string) => boolean
  firstWaitMs?: number | undefined
}

/** Exams of recorded calls on sessions that training never sees, and their runs. */
export function createExams(core: Core, deps: ExamDeps) {
  const { db, now } = core
  const store = createExamStore(db, now)
  const models = createExamModels(deps)
  const view = ({ no, id, name, hash, request, leftOut, createdAt }: ExamRow): Exam => ({
    id,
    name,
    hash,
    request,
    leftOut,
    ...store.sizes(no),
    createdAt: isoOf(createdAt),
  })
  /** The test split is never trained on. */
  const trainedSessions = (datasetIds: readonly string[]): Set<string> =>
    new Set(
      datasetIds.flatMap((id) =>
        (deps.datasets.find(id)?.sources ?? []).flatMap(({ traceId, split }) => (split === 'test' ? [] : traceId)),
      ),
    )
  const trainedOn = (modelId: string) => trainedSessions(models.trainedOn(modelId).datasets)
  const { newId, work, readCalls, version, onDecided, leaks, firstWaitMs } = deps
  const maker = createExamMaker({
    core,
    store,
    work,
    inDatasets: () => trainedSessions(deps.datasets.ids()),
    trainedOn,
    newId,
    view: (id) => view(store.require(id)),
  })
  const runs = createExamRuns({
    core,
    store,
    models,
    async seenBy(modelId, sessions) {
      const { datasets, isWhole } = models.trainedOn(modelId)
      const seen = await work.withFamilies(trainedSessions(datasets))
      return {
        sessions: sessions.filter((id) => seen.has(id)).length,
        isWhole: isWhole && datasets.every((id) => deps.datasets.find(id) !== null),
      }
    },
    readCalls,
    version,
    newId,
    onDecided,
    leaks,
    firstWaitMs,
  })
  return {
    store,
    maker,
    runs,
    view,
    list(cursor: string | undefined, limit: number) {
      const { items, ...page } = store.list(cursor, limit)
      return { items: items.map(view), ...page }
    },
    examined: store.examined,
    verdictsOf: store.verdictsOf,
    examinedRows: (): HeldOutItem[] => store.examinedTexts().map((one) => ({ ...one, similarOnly: true })),
    forget(traceId: string): void {
      store.forget(traceId)
      runs.forgotten()
    },
  }
}

export type Exams = ReturnType<typeof createExams>
