import type { Exam, ExamIdentity } from '#contracts/entities/exam.ts'
import type { Probe } from '#contracts/entities/probe.ts'
import { AppError } from '#contracts/errors.ts'
import { isoOf } from '#server/instant.ts'
import type { Dataset } from '#contracts/entities/dataset.ts'
import type { Core } from '#server/core.ts'
import type { createRecordedWork, HeldOutItem, SharedTexts } from '../../factory/index.ts'
import type { Git } from '#server/adapters/git/index.ts'
import { pageOf } from '#server/db/paging.ts'
import type { AgentRuns } from '../../agents/index.ts'
import type { Checks } from '../../checks/index.ts'
import type { SessionRows } from '../solved/candidates.ts'
import { createSolvedMaker } from '../solved/make.ts'
import { createSolvedPerform } from '../solved/perform.ts'
import { createSolvedStore } from '../solved/store.ts'
import { taskView } from '../solved/view.ts'
import type { ReadCalls } from './ask.ts'
import type { GeneralResult } from '../general.ts'
import { createExamMaker } from './make.ts'
import { createExamModels, type ExamModelsDeps } from './models.ts'
import { createExamRuns } from './runs.ts'
import type { SessionTextsInput } from './session-texts.ts'
import { createExamStore, type ExamRow } from './store.ts'

const SESSION_TEXTS = new URL('./session-texts.ts', import.meta.url).href

export interface ExamDeps extends ExamModelsDeps {
  work: ReturnType<typeof createRecordedWork>
  datasets: { find: (id: string) => Dataset | null; ids: () => string[] }
  readCalls: ReadCalls
  sharedTexts: SharedTexts
  traces: SessionRows
  checks: Pick<Checks, 'withStates' | 'runOfChange'>
  git: Git
  agents: AgentRuns
  version: string
  newId: () => string
  /** Called in the transaction that decides a run of a model of the registry. */
  onDecided: (modelId: string) => void
  /** The last probe of a model for its training data; null: not measured. */
  probeOf: (modelId: string) => Probe | null
  /** Benchmarks that both models answered. */
  benchmarks: (model: ExamIdentity, base: ExamIdentity) => GeneralResult[]
  firstWaitMs?: number | undefined
}

/** Exams of recorded calls on sessions that training never sees, and their runs. */
export function createExams(core: Core, deps: ExamDeps) {
  const { db, now } = core
  const store = createExamStore(db, now)
  const models = createExamModels(deps)
  const solved = createSolvedStore(db, now)
  const view = ({ no, id, kind, state, detail, name, hash, request, leftOut, createdAt }: ExamRow): Exam => ({
    id,
    kind,
    state,
    detail,
    name,
    hash,
    request,
    ...(kind === 'solved_tasks' ? solved.funnel(no) : { considered: null, waiting: 0, leftOut }),
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
  const isTrainingKnown = (modelId: string): boolean => {
    try {
      const { datasets, isWhole } = models.trainedOn(modelId)
      return isWhole && datasets.every((id) => deps.datasets.find(id) !== null)
    } catch (error) {
      if (error instanceof AppError) return false // it was removed
      throw error
    }
  }
  const trainedOn = (modelId: string) => trainedSessions(models.trainedOn(modelId).datasets)
  const textsOf = (examNo: number) => ({
    module: SESSION_TEXTS,
    input: { database: core.paths.database, examNo } satisfies SessionTextsInput,
  })
  /** With the sessions of agents that took an exam. */
  const examined = (): Map<string, string> => new Map([...solved.sessions(), ...store.examined()])
  /** The exam that a session, or one that shares records with it, is in; null: none. */
  const examOf = async (traceId: string): Promise<string | null> => {
    const all = examined()
    const family = all.size === 0 ? [] : await deps.work.withFamilies([traceId])
    return [...family].map((id) => all.get(id)).find((name) => name !== undefined) ?? null
  }
  const { newId, work, readCalls, version, onDecided, probeOf, benchmarks, firstWaitMs } = deps
  const making = {
    core,
    store,
    work,
    inDatasets: () => trainedSessions(deps.datasets.ids()),
    trainedOn,
    newId,
    view: (id: string) => view(store.require(id)),
  }
  const maker = createExamMaker(making)
  const { traces, checks, git, agents } = deps
  const tasks = createSolvedMaker({ ...making, core, solved, traces, checks, git })
  const performing = createSolvedPerform({ agents, events: core.events })
  const runs = createExamRuns({
    core,
    store,
    models,
    async seenBy(modelId, examNo) {
      const datasets = models.trainedOn(modelId).datasets.filter((id) => deps.datasets.find(id) !== null)
      const family = await work.withFamilies(trainedSessions(datasets))
      const near = new Set(datasets.length === 0 ? [] : await deps.sharedTexts(datasets, textsOf(examNo), undefined, true))
      const seen = store.sessionsOf(examNo).filter((id) => family.has(id) || near.has(id))
      return { sessions: seen.length, isWhole: isTrainingKnown(modelId) }
    },
    isTrainingKnown,
    readCalls,
    solved: { store: solved, folderOf: tasks.folderOf, perform: performing, agents },
    version,
    newId,
    onDecided,
    probeOf,
    benchmarks,
    firstWaitMs,
  })
  return {
    store,
    models,
    maker,
    tasks,
    runs,
    view,
    candidates: (exam: ExamRow, query: Parameters<typeof solved.candidates>[1]) => solved.candidates(exam.no, query),
    listTasks(exam: ExamRow, cursor: string | undefined, limit: number) {
      const all = solved.tasks(exam.no)
      const rest = all.filter(({ no }) => no > (cursor === undefined ? -1 : Number(cursor)))
      const { items, ...page } = pageOf(rest.slice(0, limit + 1), limit, ({ no }) => no)
      return { items: items.map((task) => taskView(task, tasks.folderOf(exam.id))), ...page, total: all.length }
    },
    list(cursor: string | undefined, limit: number) {
      const { items, ...page } = store.list(cursor, limit)
      return { items: items.map(view), ...page }
    },
    examined,
    examOf,
    verdictsOf: store.verdictsOf,
    paceOf: (run: string) => store.paceOf(run),
    examinedRows: (): HeldOutItem[] => store.examinedTexts().map((one) => ({ ...one, similarOnly: true })),
    forget(traceId: string): void {
      tasks.forgetFiles(traceId)
      solved.forget(traceId)
      store.forget(traceId)
      runs.forgotten()
    },
    async close(): Promise<void> {
      await runs.close()
      performing.close()
    },
  }
}

export type Exams = ReturnType<typeof createExams>
