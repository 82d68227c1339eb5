import { createHash } from 'node:crypto'
import type { Student } from '#contracts/entities/router.ts'
import type { ExamKind } from '#contracts/entities/exam.ts'
import type { RouteDecision, RouteEvidence, RouterProxy, RouteRequest, Routing, RouteStudent } from '#contracts/entities/routing.ts'
import { AppError } from '#contracts/errors.ts'
import type { RouterSettings, RoutingStrategy } from '#contracts/settings/router.ts'
import { wilsonOfTasks } from '#contracts/wilson.ts'
import type { Core } from '#server/core.ts'
import { isoOf } from '#server/instant.ts'
import { complexityOf } from './complexity.ts'
import { createDrift } from './drift.ts'
import { createUsed } from './used.ts'
import { choose, rateAfter, shareOf, within } from './strategy.ts'

export interface RoutingDeps {
  proxy: () => Promise<RouterProxy>
  settings: () => RouterSettings
  /** The model that is chosen in Settings; null if none is. */
  student: () => Student | null
  /** From ROUTING_STRATEGY. */
  forced: RoutingStrategy | null
}

interface Taken {
  metric: string
  run: string
  at: number
  sessions: number
  items: number
  passed: number
}

/** Right answers of one exam. */
export type ExamEvidence = Omit<Taken, 'metric'> & { kind: ExamKind }

const REPORTS = 20
/** How old counts of answers at work may be: on the page, and in a decision. */
const [SHOWN_MS, DECIDED_MS] = [2000, 60_000]
const COUNTS = ['passed', 'items', 'sessions'] as const
const TASKS_FIRST = ['solved_tasks', 'next_calls'] as const
const KINDS = new Map<string, ExamKind>([
  ['next_call.soft', 'next_calls'],
  ['solved_tasks.pass_rate', 'solved_tasks'],
])

/** What is known of an answer while there is none. */
const NOT_ASKED = {
  id: null,
  model: null,
  session: null,
  agent: null,
  cause: 'strategy',
  fallback: false,
  latencyMs: null,
  firstTokenMs: null,
  tokens: null,
  costUsd: null,
  teacherUsd: null,
  traceId: null,
  status: null,
  error: null,
  outcome: null,
} as const

/** Decides where a conversation goes. Without a proof, or the user's own word for it, that is always the teacher. */
export function createRouting(core: Pick<Core, 'db' | 'now' | 'tx' | 'events'>, deps: RoutingDeps) {
  const { db, now } = core
  const used = createUsed(core)
  const drift = createDrift(core, () => deps.settings().confidenceThreshold)
  const taken = db.prepare<[string, number], Taken>(
    `SELECT v.body ->> '$.forms.metric' AS metric, v.run_id AS run, v.at, v.body ->> '$.sessions' AS sessions,
       (SELECT count(*) FROM json_each(v.body, '$.items') i WHERE i.value ->> '$.candidate' IS NOT NULL) AS items,
       (SELECT count(*) FROM json_each(v.body, '$.items') i WHERE i.value ->> '$.candidate' = 1) AS passed
     FROM model_verdicts v WHERE v.model_id = ? AND v.verdict <> 'refused' AND v.at >= ? ORDER BY v.no DESC`,
  )
  const reports = db.prepare<[string, number, number], { success_rate: number; samples: number; rate: number; at: number }>(
    'SELECT success_rate, samples, rate, at FROM route_reports WHERE model_id = ? AND at >= ? ORDER BY no DESC LIMIT ?',
  )
  const addReport = db.prepare('INSERT INTO route_reports (model_id, success_rate, samples, rate, at) VALUES (?, ?, ?, ?, ?)')

  function student(): RouteStudent | null {
    const chosen = deps.student()
    return chosen && { id: chosen.modelId, name: chosen.label, isProven: chosen.certificate !== null }
  }
  /** Evidence about other files, tools or another client does not count. */
  const since = (): number => Date.parse(deps.student()?.evidenceSince ?? isoOf(0))
  /** The newest result of each kind of exam, tasks first: they say more than single calls. */
  function examsOf(modelId: string): ExamEvidence[] {
    const byKind = new Map<ExamKind, ExamEvidence>()
    for (const { metric, ...counts } of taken.all(modelId, since())) {
      const kind = KINDS.get(metric)
      if (kind && counts.items > 0 && !byKind.has(kind)) byKind.set(kind, { kind, ...counts })
    }
    return TASKS_FIRST.flatMap((kind) => byKind.get(kind) ?? [])
  }
  /** With what was measured at work since. */
  function evidenceOf(modelId: string, ageMs: number): RouteEvidence[] {
    const exams = examsOf(modelId)
    const atWork = used.of(modelId, since(), ageMs)
    // Some sessions say less than an exam, of whatever kind.
    const kinds = new Set([...exams.map(({ kind }) => kind), ...TASKS_FIRST])
    return [...kinds].flatMap((kind) => {
      const exam = exams.find((one) => one.kind === kind)
      const work = atWork[kind]
      const [passed = 0, items = 0, sessions = 0] = COUNTS.map((of) => (exam?.[of] ?? 0) + work[of])
      const interval = wilsonOfTasks(passed, items, sessions)
      if (!interval) return []
      const { passed: right, items: n } = work
      return {
        kind,
        passed,
        items,
        sessions,
        ...interval,
        run: exam?.run ?? null,
        at: exam ? isoOf(exam.at) : null,
        used: { passed: right, items: n },
      }
    })
  }
  function rateOf(modelId: string | null): number {
    const { studentSampleRate, maxStudentRate } = deps.settings()
    const last = modelId === null ? undefined : reports.get(modelId, since(), 1)
    return within(last?.rate ?? studentSampleRate, studentSampleRate, maxStudentRate)
  }
  const strategy = (): RoutingStrategy => deps.forced ?? deps.settings().strategy

  /** Why nothing may go to the student; null if it may. */
  function barrier(): string | null {
    const chosen = deps.student()
    if (chosen === null) return 'No model is chosen in Settings → Model in Claude Code.'
    if (!chosen.isUsable) return chosen.reason
    const { unprovenClient, override } = chosen
    if (unprovenClient !== null && deps.settings().override !== override)
      return `${chosen.label} is not proven for this client version: its exam was not taken with Claude Code ${unprovenClient}.`
    return drift.open(chosen.modelId)?.reason ?? null
  }

  async function status(): Promise<Routing> {
    const model = student()
    const evidence = model ? evidenceOf(model.id, SHOWN_MS) : []
    const { confidenceThreshold: threshold } = deps.settings()
    const rate = rateOf(model?.id ?? null)
    const barred = barrier()
    const isOverridden = barred === null && !model!.isProven
    return {
      strategy: strategy(),
      strategyVariable: deps.forced === null ? null : 'ROUTING_STRATEGY',
      student: model,
      isOverridden,
      share: barred === null ? shareOf(strategy(), { proof: evidence[0]?.low ?? null, threshold, rate }) : 0,
      rate,
      evidence,
      reports: (model ? reports.all(model.id, since(), REPORTS) : []).map(({ success_rate: successRate, samples, rate: after, at }) => ({
        successRate,
        samples,
        rate: after,
        at: isoOf(at),
      })),
      proxy: await deps.proxy(),
      alarm: model && drift.shown(model.id),
      note: barred ?? deps.student()!.reason,
    }
  }

  return {
    status,
    examsOf,
    barrier,
    /** After an answer of the student, or one that it owed. */
    answered: ({ id, name }: RouteStudent): void => drift.look(id, name),
    async endAlarm(): Promise<Routing> {
      const model = student()
      if (model) drift.end(model.id)
      return status()
    },
    decide({ prompt, kind }: RouteRequest): RouteDecision {
      const model = student()
      const evidence = model ? (evidenceOf(model.id, DECIDED_MS).find((one) => kind === undefined || one.kind === kind) ?? null) : null
      const complexity = complexityOf(prompt)
      const {
        model: wanted,
        confidence,
        reason,
      } = choose(strategy(), {
        complexity,
        proof: evidence?.low ?? null,
        threshold: deps.settings().confidenceThreshold,
        rate: rateOf(model?.id ?? null),
        draw: createHash('sha256').update(prompt).digest().readUInt32BE() / 2 ** 32,
      })
      const barred = model === null || wanted === 'student' ? barrier() : null
      return {
        ...NOT_ASKED,
        at: isoOf(now()),
        strategy: strategy(),
        selectedModel: barred === null ? wanted : 'teacher',
        student: model,
        taskComplexity: complexity,
        confidence,
        evidence,
        reason: barred ?? reason,
      }
    },
    /** After the outcome of one answer was reported. */
    reported({ student: of }: RouteDecision): Promise<Routing> {
      used.forget()
      if (of) drift.look(of.id, of.name)
      return status()
    },
    async reportBatch({ successRate, samples }: { successRate: number; samples: number }): Promise<Routing> {
      const model = student()
      if (model === null) throw new AppError('model_not_found', { message: `There is no student to report about. ${barrier()}` })
      addReport.run(model.id, successRate, samples, rateAfter(rateOf(model.id), successRate, deps.settings()), now())
      drift.look(model.id, model.name)
      return status()
    },
  }
}
