import { z } from 'zod'
import { RoutingStrategy } from '../settings/router.ts'
import { Instant } from './common.ts'
import { ExamKind } from './exam.ts'

/** Right answers of the student at one kind of task: of its newest exam, and of its work since. Both are in `passed`, `items` and `sessions`. */
export const RouteEvidence = z
  .object({
    kind: ExamKind,
    passed: z.number().meta({ description: 'a grade counts as the part that it is' }),
    items: z.number().int(),
    sessions: z.number().int(),
    low: z.number().meta({ description: 'of the 95 % Wilson interval, with sessions as what is independent: the confidence' }),
    high: z.number(),
    run: z.string().nullable().meta({ description: 'of the exam; null: it took none of this kind' }),
    at: Instant.nullable().meta({ description: 'of the exam' }),
    used: z.object({ passed: z.number(), items: z.number().int() }).meta({
      description:
        'measured at work: verified or graded sessions in which only it answered (solved_tasks), answers that were reported (next_calls)',
    }),
  })
  .meta({ id: 'RouteEvidence' })
export type RouteEvidence = z.infer<typeof RouteEvidence>

export const RouteStudent = z
  .object({
    id: z.string().meta({ description: 'of the registry, or the name and address of a model elsewhere' }),
    name: z.string(),
    isProven: z.boolean().meta({ description: 'whether its newest verdict is that it is better' }),
  })
  .meta({ id: 'RouteStudent' })
export type RouteStudent = z.infer<typeof RouteStudent>

/** The proxy through which requests of Claude Code pass. */
export const RouterProxy = z
  .object({
    isOn: z.boolean(),
    address: z.string().nullable().meta({ description: 'with its token; null while it is off or could not be opened' }),
    upstream: z.string().meta({ description: 'the API to which requests go' }),
    problem: z.string().nullable(),
    unchecked: z
      .array(z.object({ session: z.string(), at: Instant }))
      .meta({ description: 'sessions in auto mode that no longer ask for the check of their commands; a restart with --continue helps' }),
  })
  .meta({ id: 'RouterProxy' })
export type RouterProxy = z.infer<typeof RouterProxy>

export const Routing = z
  .object({
    strategy: RoutingStrategy,
    strategyVariable: z.string().nullable().meta({ description: 'the environment variable that sets it' }),
    student: RouteStudent.nullable(),
    isOverridden: z.boolean().meta({ description: 'routed although nothing proves the student' }),
    share: z.number().nullable().meta({ description: 'of new conversations that go to the student; null if it depends on the prompt' }),
    rate: z.number().meta({ description: 'of progressive: its share now' }),
    evidence: z.array(RouteEvidence),
    reports: z.array(z.object({ successRate: z.number(), samples: z.number().int(), rate: z.number(), at: Instant })),
    proxy: RouterProxy,
    alarm: z.object({ at: Instant, reason: z.string() }).nullable().meta({ description: 'why the share was taken back' }),
    note: z.string().meta({ description: 'why the share is what it is' }),
  })
  .meta({ id: 'Routing' })
export type Routing = z.infer<typeof Routing>

export const RouteRequest = z
  .object({ prompt: z.string().max(1_000_000), kind: ExamKind.optional().meta({ description: 'default: the kind with evidence' }) })
  .meta({ id: 'RouteRequest' })
export type RouteRequest = z.infer<typeof RouteRequest>

/** What decided where a request went. */
export const RouteCause = z.enum(['passed', 'safety', 'main', 'agent', 'fork', 'auto_mode', 'strategy', 'named']).meta({
  id: 'RouteCause',
  description: 'passed: not read; safety: the check of the client; agent: under a name of Claude; named: by the name of the student',
})
export type RouteCause = z.infer<typeof RouteCause>

/** How what was answered turned out. */
export const RouteOutcome = z
  .object({
    value: z.number().min(0).max(1).meta({ description: '1: right, 0: wrong' }),
    from: z.enum(['report', 'verification', 'grade', 'score']).meta({
      description:
        'report: of this answer; the others are of its session: its verification, the grade of a model, or its score, which does not count as right or wrong',
    }),
  })
  .meta({ id: 'RouteOutcome' })
export type RouteOutcome = z.infer<typeof RouteOutcome>

/** Where a conversation that begins with a prompt goes. Fields about an answer are null until there is one. */
export const RouteDecision = z
  .object({
    id: z.string().nullable().meta({ description: 'null: asked for only, nothing was sent' }),
    at: Instant,
    strategy: RoutingStrategy,
    selectedModel: z.enum(['teacher', 'student']).meta({ description: 'that answered, or was asked last' }),
    cause: RouteCause,
    student: RouteStudent.nullable(),
    model: z.string().nullable().meta({ description: 'that answered' }),
    session: z.string().nullable().meta({ description: 'id that the client gave its session' }),
    traceId: z.string().nullable().meta({ description: 'of that session, once it is captured' }),
    agent: z.string().nullable().meta({ description: 'id that the client gave its sub-agent' }),
    taskComplexity: z.number().nullable().meta({ description: 'null: the prompt was not read' }),
    confidence: z.number().nullable(),
    evidence: RouteEvidence.nullable(),
    reason: z.string(),
    fallback: z.boolean().meta({ description: 'it was the student’s, and Claude answered' }),
    latencyMs: z.number().nullable(),
    firstTokenMs: z.number().nullable().meta({ description: 'until the first byte of the answer' }),
    tokens: z.number().int().nullable(),
    costUsd: z.number().nullable().meta({ description: 'of all that was asked for it; null: not known' }),
    teacherUsd: z.number().nullable().meta({
      description:
        'what the same tokens would have cost at the model that the client asked for, its cache simulated; null: it was asked itself, or not known',
    }),
    status: z.number().int().nullable().meta({ description: 'HTTP status of the answer' }),
    error: z.string().nullable().meta({ description: 'why there is no whole answer' }),
    outcome: RouteOutcome.nullable().meta({ description: 'null: not measured' }),
  })
  .meta({ id: 'RouteDecision' })
export type RouteDecision = z.infer<typeof RouteDecision>

/** Which decisions are listed. */
export const RouteDecisionFilter = z.object({
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional().meta({ description: 'before this time' }),
  by: z.enum(['teacher', 'student', 'fallback']).optional().meta({ description: 'fallback: Claude, after the student gave no answer' }),
  model: z.string().max(200).optional(),
  tenth: z.coerce.number().int().min(0).max(9).optional().meta({
    description: 'answers of the student with a measured outcome whose confidence was in this tenth: 7 is 70 to 80 %',
  }),
})
export type RouteDecisionFilter = z.infer<typeof RouteDecisionFilter>

const successRate = z.number().min(0).max(1)
/** How one answer went, or a measured batch of the student's answers. */
export const RouteReport = z
  .union([
    z.strictObject({ decisionId: z.string().max(20), successRate: successRate.meta({ description: '1: right, 0: wrong' }) }),
    z.strictObject({ successRate, samples: z.number().int().min(20).max(1_000_000) }),
  ])
  .meta({ id: 'RouteReport' })
export type RouteReport = z.infer<typeof RouteReport>

/** How the student's answer is, beside Claude's. */
export const ShadowVerdict = z.enum(['better', 'worse', 'same']).meta({ id: 'ShadowVerdict' })
export type ShadowVerdict = z.infer<typeof ShadowVerdict>

/** What the student would have answered to a step that Claude had answered. */
export const ShadowAnswer = z
  .object({
    id: z.string(),
    at: Instant,
    traceId: z.string().nullable().meta({ description: 'the session' }),
    model: z.string(),
    prompt: z.string().meta({ description: 'the end of what both read' }),
    teacher: z.string(),
    student: z.string().nullable().meta({ description: 'null: it did not answer' }),
    verdict: ShadowVerdict.nullable().meta({ description: 'null: not judged' }),
    verdictBy: z.string().nullable().meta({ description: 'the model that judged, in both orders; null: you' }),
    refusal: z
      .string()
      .nullable()
      .meta({ description: 'why no row of a data set can be made of it; null: one can, if its session is chosen and it is no duplicate' }),
    same: z.boolean().nullable().meta({ description: 'whether both first calls are the same; null: not both called a tool' }),
    error: z.string().nullable(),
  })
  .meta({ id: 'ShadowAnswer' })
export type ShadowAnswer = z.infer<typeof ShadowAnswer>

export const ShadowFigures = z
  .object({
    answers: z.number().int(),
    failed: z.number().int().meta({ description: 'it did not answer' }),
    compared: z.number().int().meta({ description: 'both called a tool' }),
    same: z.number().int().meta({ description: 'with the same call: agreement about the next step, no proof' }),
    judged: z.object({ better: z.number().int(), worse: z.number().int(), same: z.number().int() }),
    rows: z.number().int().meta({ description: 'pairs that a data set of preferences can have' }),
  })
  .meta({ id: 'ShadowFigures' })
export type ShadowFigures = z.infer<typeof ShadowFigures>

const Percentiles = z.object({ p50: z.number(), p95: z.number() })

/** Figures of the requests of the last 30 days, as pictures show them. */
const RoutePictures = z.object({
  unit: z.enum(['hour', 'day']).meta({ description: 'of `over`; in UTC' }),
  over: z.array(
    z.object({
      at: Instant,
      teacher: z.number().int(),
      student: z.number().int().meta({ description: 'by the proxy' }),
      fallbacks: z.number().int().meta({ description: 'Claude, after the student gave no answer' }),
      gym: z.number().int().meta({ description: 'steps of the gym agent' }),
    }),
  ),
  byModel: z
    .array(
      z.object({
        model: z.string(),
        name: z.string(),
        isStudent: z.boolean(),
        requests: z.number().int().meta({ description: 'answered whole; without those that waited for the student first' }),
        firstTokenMs: Percentiles.nullable(),
        latencyMs: Percentiles,
      }),
    )
    .meta({ description: 'the most used first' }),
  calibration: z
    .array(
      z.object({
        tenth: z.number().int(),
        confidence: z.number().meta({ description: 'of these decisions, on average' }),
        n: z.number().int().meta({ description: 'conversations of the student with a measured outcome' }),
        right: z.number(),
        low: z.number(),
        high: z.number(),
      }),
    )
    .meta({ description: 'the confidence of decisions against how their conversations turned out' }),
})

export const RouteStats = z
  .object({
    requests: z.number().int(),
    failed: z.number().int().meta({ description: 'answered with an error, or not answered whole' }),
    sessions: z.number().int(),
    tokens: z.number().int().nullable(),
    student: z
      .object({
        answers: z.number().int(),
        failed: z.number().int().meta({ description: 'the client got an error' }),
        fallbacks: z.number().int().meta({ description: 'Claude answered instead' }),
      })
      .meta({ description: 'requests of the model of your own' }),
    saved: z
      .object({
        usd: z.number().nullable().meta({ description: 'null: of no answer is known what it would have cost' }),
        answers: z.number().int().meta({ description: 'of the student, in `usd`' }),
        unpriced: z.number().int().meta({ description: 'answers of the student whose cost at Claude is not known' }),
      })
      .meta({
        description:
          'what the tokens of the student would have cost at the model that was asked for, less what it cost. A request that Claude answered instead saved nothing',
      }),
    pictures: RoutePictures,
    shadow: ShadowFigures.nullable().meta({ description: 'of the chosen model; null: none is chosen' }),
    firstTokenMs: Percentiles.nullable(),
    latencyMs: Percentiles.nullable(),
    since: Instant.nullable(),
    mod: z
      .object({
        steps: z.number().int(),
        failed: z.number().int().meta({ description: 'that ended with the reason why there is no answer' }),
        agents: z.number().int(),
        tokens: z.number().int().nullable(),
        latencyMs: Percentiles.nullable(),
        since: Instant.nullable(),
      })
      .meta({ description: 'steps of the gym agent, which the mod answers inside Claude Code' }),
  })
  .meta({ id: 'RouteStats' })
export type RouteStats = z.infer<typeof RouteStats>

export const GenerateRequest = z
  .object({
    prompt: z.string().min(1).max(1_000_000),
    system: z.string().max(1_000_000).optional(),
  })
  .meta({ id: 'GenerateRequest' })
export type GenerateRequest = z.infer<typeof GenerateRequest>

export const Generated = z
  .object({
    text: z.string(),
    model: z.string().meta({ description: 'that answered' }),
    decision: RouteDecision,
    usage: z.object({
      input: z.number().int(),
      output: z.number().int(),
      cacheRead: z.number().int().nullable(),
      cacheWrite: z.number().int().nullable(),
    }),
  })
  .meta({ id: 'Generated' })
export type Generated = z.infer<typeof Generated>
