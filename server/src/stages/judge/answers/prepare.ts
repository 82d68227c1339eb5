import type { AnswerRun, AnswerRunRequest } from '#contracts/entities/answer.ts'
import type { ExamModel } from '#contracts/entities/exam.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { GateInput } from '../../privacy/index.ts'
import type { ExamModels } from '../exam/models.ts'
import type { ClearInput } from './clear-answers.job.ts'
import type clearAll from './clear-answers.job.ts'
import { unitsOf } from './figures.ts'
import type { ReadSessionInput, SessionMaterial } from './read-session.job.ts'
import { rubricOfCase } from './rubrics.ts'
import type { AnswerStore, NewItem, RunFacts } from './store.ts'

export interface MaterialDeps {
  core: Pick<Core, 'workers' | 'paths'>
  gate: (purpose: string) => GateInput
}

const SESSION_JOB = new URL('./read-session.job.ts', import.meta.url)
const CLEAR_JOB = new URL('./clear-answers.job.ts', import.meta.url)
const PURPOSE = 'answers for a grading model'
const CASES = 5000

/** Reads texts, and clears them as they are sent. */
export function createMaterial({ core: { workers, paths }, gate }: MaterialDeps) {
  return {
    session: (traceId: string, signal: AbortSignal): Promise<SessionMaterial | null> =>
      workers.run<SessionMaterial | null>(
        SESSION_JOB,
        { database: paths.database, archive: paths.archive, traceId, gate: gate(PURPOSE) } satisfies ReadSessionInput,
        { lane: 'bulk', signal },
      ),
    clear: <Texts extends readonly (string | null)[]>(
      texts: Texts,
      signal: AbortSignal,
    ): Promise<{ texts: { [K in keyof Texts]: Texts[K] }; findings: Record<string, number> }> =>
      workers.run<ReturnType<typeof clearAll>>(CLEAR_JOB, { texts, gate: gate(PURPOSE) } satisfies ClearInput, {
        lane: 'query',
        signal,
      }) as Promise<{ texts: { [K in keyof Texts]: Texts[K] }; findings: Record<string, number> }>, // null stays null
  }
}
export type MaterialReader = ReturnType<typeof createMaterial>

export interface PrepareDeps {
  core: Pick<Core, 'tx'>
  store: AnswerStore
  models: ExamModels
  material: MaterialReader
  idsOf: (query: string | undefined) => Promise<string[]>
  newId: () => string
  /** Answers of Claude and of the student to the same steps, the newest first. */
  shadowPairs: (limit: number) => { id: string; traceId: string | null; model: string; prompt: string; teacher: string; student: string }[]
  /** Stores a run, and publishes it. */
  add: (id: string, insert: () => void) => AnswerRun
}

interface Made extends Pick<RunFacts, 'writers' | 'shadow'> {
  items: NewItem[]
  reasons: string[]
  replaced: number[] | null
}

/** Makes a run with all its texts. Nothing is sent before it is started. */
export function createPrepare({ store, models, material, idsOf, newId, shadowPairs, add }: PrepareDeps) {
  const refuse = (message: string, hint?: string) => new AppError('answer_run_refused', { message, ...(hint !== undefined && { hint }) })

  /** Throws before the job begins what can be known then. */
  const check = (request: AnswerRunRequest): void => {
    const { source, model } = request
    if (model) models.find(model)
    if (source.kind === 'set') {
      const set = store.set(source.set)
      models.find(source.answerer)
      if (set.graded > 0 && !model) throw refuse('This set has cases with a rubric, so it needs a model that grades.', 'Name it: `model`.')
      return
    }
    if (!model) throw refuse('Name the model that grades.')
    if (source.kind === 'compare') {
      const [a, b] = source.runs.map(store.require)
      if (a!.kind !== 'set' || b!.kind !== 'set' || a!.setId !== b!.setId || a!.id === b!.id)
        throw refuse('Only two different runs of one own set can be compared.')
    }
  }

  const sessionItems = async ({ source, limit }: AnswerRunRequest, { signal, progress }: JobContext) => {
    if (source.kind !== 'sessions') throw new Error('not sessions')
    const ids = source.traceIds ?? (await idsOf(source.query))
    const [items, writers] = [[] as NewItem[], new Set<string>()]
    const reasons: string[] = ids.slice(limit).map(() => 'above the limit')
    for (const [done, traceId] of ids.slice(0, limit).entries()) {
      progress({ phase: 'reading and clearing sessions', done, total: Math.min(ids.length, limit), unit: 'sessions' })
      const found = await material.session(traceId, signal)
      if (found === null || found.prompt === '' || found.response === '') {
        reasons.push(found === null ? 'no such session' : found.prompt === '' ? 'no prompt' : 'no answer')
        continue
      }
      for (const model of found.models) writers.add(model)
      const { title, prompt, response, findings } = found
      items.push({ traceId, title, prompt, response, findings, system: null, other: null, check: null, rubric: null })
    }
    return {
      items: items.filter(({ traceId }) => traceId === null || !store.isForgotten(traceId)),
      reasons,
      replaced: null,
      writers: [...writers],
    }
  }
  const caseItems = async ({ source }: AnswerRunRequest, { signal, progress }: JobContext) => {
    if (source.kind !== 'set') throw new Error('not a set')
    const cases = store.cases(source.set, undefined, CASES).items
    const items: NewItem[] = []
    const replaced: number[] = []
    for (const [done, { prompt, system = null, check: rule = null, rubric, traceId = null }] of cases.entries()) {
      if (done % 50 === 0) progress({ phase: 'clearing cases', done, total: cases.length, unit: 'cases' })
      const { texts, findings } = await material.clear([prompt, system], signal)
      if (texts[0] !== prompt || (texts[1] ?? null) !== system) replaced.push(done)
      items.push({
        traceId,
        title: null,
        prompt: texts[0]!,
        system: texts[1] ?? null,
        response: null,
        other: null,
        findings,
        check: rule,
        rubric: rubric ? rubricOfCase(rubric) : null,
      })
    }
    return { items, reasons: [], writers: [models.find(source.answerer).label], replaced }
  }
  const pairItems = ({ source }: AnswerRunRequest) => {
    if (source.kind !== 'compare') throw new Error('not a comparison')
    const [a, b] = source.runs.map(store.require) as [ReturnType<AnswerStore['require']>, ReturnType<AnswerStore['require']>]
    const [items, reasons] = [[] as NewItem[], [] as string[]]
    for (const { no } of store.outline(a)) {
      const [one, other] = [store.item(a, no), store.item(b, no)]
      if (one?.response == null || other?.response == null) reasons.push('one of them has no answer')
      else
        items.push({
          traceId: one.traceId,
          title: null,
          prompt: one.prompt,
          response: one.response,
          other: other.response,
          findings: one.findings,
          system: null,
          check: null,
          rubric: null,
        })
    }
    return { items, reasons, replaced: null, writers: [a, b].flatMap(({ facts }) => facts.labels.answerer ?? []) }
  }

  const shadowItems = async ({ limit }: AnswerRunRequest, { signal, progress }: JobContext) => {
    const pairs = shadowPairs(limit)
    const items: { id: string; item: NewItem }[] = []
    for (const [done, { id, traceId, prompt, teacher, student }] of pairs.entries()) {
      progress({ phase: 'clearing answers', done, total: pairs.length, unit: 'answers' })
      const { texts, findings } = await material.clear([prompt, teacher, student] as const, signal)
      const [cleared, response, other] = texts
      items.push({
        id,
        item: { traceId, title: null, prompt: cleared, response, other, findings, system: null, check: null, rubric: null },
      })
    }
    const writers = ['Claude', ...new Set(pairs.map(({ model }) => model))]
    const kept = items.filter(({ item: { traceId } }) => traceId === null || !store.isForgotten(traceId))
    return { items: kept.map(({ item }) => item), reasons: [], replaced: null, writers, shadow: kept.map(({ id }) => id) }
  }

  return {
    check,
    async make(request: AnswerRunRequest, context: JobContext): Promise<AnswerRun> {
      const { source, model } = request
      const made: Made = await (source.kind === 'sessions'
        ? sessionItems(request, context)
        : source.kind === 'set'
          ? caseItems(request, context)
          : source.kind === 'shadow'
            ? shadowItems(request, context)
            : pairItems(request))
      const { items, reasons, writers, replaced, shadow } = made
      context.signal.throwIfAborted()
      if (items.length === 0)
        throw refuse('There is nothing to grade.', reasons[0] === undefined ? 'Choose other sessions.' : `Left out: ${reasons[0]}.`)
      const isPriced = (one: ExamModel) => !models.find(one).isOutside || models.find(one).price !== null
      const asked = [...(model ? [model] : []), ...(source.kind === 'set' ? [source.answerer] : [])]
      const grader = model ? models.find(model) : null
      const answerer = source.kind === 'set' ? models.find(source.answerer) : null
      const facts: RunFacts = {
        model: grader?.identity ?? null,
        answerer: answerer?.identity ?? null,
        labels: { model: grader?.label ?? null, answerer: answerer?.label ?? null },
        rubrics:
          source.kind === 'sessions' ? Object.fromEntries(request.metrics.map((metric) => [metric, versionOf(store.rubric(metric))])) : {},
        leftOut: [...Map.groupBy(reasons, (reason) => reason)].map(([reason, list]) => ({ reason, count: list.length })),
        writers,
        isPriced: asked.every(isPriced),
        ...(replaced && { replaced }),
        ...(shadow && { shadow }),
      }
      const kind = source.kind === 'shadow' ? 'compare' : source.kind
      const id = newId()
      const total = unitsOf(
        { kind, request, hasModel: model !== undefined },
        items.map(({ rubric }, no) => ({ no, hasRubric: rubric !== null })),
      ).length
      const title =
        source.kind === 'set'
          ? `${store.set(source.set).name}: ${answerer!.label}`
          : kind === 'compare'
            ? `${writers[0]} against ${writers[1]}`
            : `${items.length} ${items.length === 1 ? 'session' : 'sessions'}`
      const setId = source.kind === 'set' ? source.set : source.kind === 'compare' ? store.require(source.runs[0]).setId : null
      return add(id, () => store.addRun({ id, kind, setId, title, request, facts, total }, items))
    },
  }
}

const versionOf = ({ version, role, task, anchors }: ReturnType<AnswerStore['rubric']>) => ({ version, body: { role, task, anchors } })
