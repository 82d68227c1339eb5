import { z } from 'zod'
import { Id, Instant, TraceId } from './common.ts'
import { notAPlace } from '../places.ts'
import { ExamModel } from './exam.ts'

export const AnswerMetric = z
  .enum(['helpfulness', 'correctness', 'coherence', 'complexity', 'verbosity', 'safety', 'code_quality', 'task_completion'])
  .meta({ id: 'AnswerMetric' })
export type AnswerMetric = z.infer<typeof AnswerMetric>

/** What the user can grade, too: `rubric` is that of a case of an own set. */
export const LabelMetric = z.enum([...AnswerMetric.options, 'rubric']).meta({ id: 'LabelMetric' })
export type LabelMetric = z.infer<typeof LabelMetric>

export const AnswerRunId = Id.meta({ id: 'AnswerRunId' })
export const AnswerSetId = Id.meta({ id: 'AnswerSetId' })

const Text = z.string().max(1_000_000)
const Line = z.string().trim().min(1).max(4000)

/** What a grading model is asked about one metric. Its texts are never changed; another version is added. */
export const RubricText = z
  .object({
    role: Line.meta({ description: 'who the model is' }),
    task: Line.meta({ description: 'what it grades' }),
    anchors: z.object({ one: Line, three: Line, five: Line }).meta({ description: 'what 1, 3 and 5 mean' }),
  })
  .meta({ id: 'RubricText' })
export type RubricText = z.infer<typeof RubricText>

export const Rubric = RubricText.extend({
  metric: AnswerMetric,
  version: z.number().int().meta({ description: '0 is ours' }),
  createdAt: Instant.nullable(),
}).meta({ id: 'Rubric' })
export type Rubric = z.infer<typeof Rubric>

/** The score of one metric. `score` = (`raw` − 1)/4; both are null with an `error`. */
export const AnswerScore = z
  .object({
    metric: z.string().meta({ description: 'one of the eight metrics, or `rubric` for the rubric of a case' }),
    score: z.number().min(0).max(1).nullable(),
    raw: z.number().int().min(1).max(5).nullable(),
    reasoning: z.string().nullable(),
    evidence: z.array(z.string()),
    model: z.string(),
    error: z.string().nullable(),
    text: z.string().nullable().meta({ description: 'the answer of the model, unchanged' }),
    rubric: z.number().int().nullable().meta({ description: 'version of the rubric; null for the rubric of a case' }),
    cached: z.boolean().meta({
      description: 'the same question was answered before by a model of the same files, so nothing was sent; never for endpoints',
    }),
  })
  .meta({ id: 'AnswerScore' })
export type AnswerScore = z.infer<typeof AnswerScore>

export const AnswerRequest = z
  .object({
    prompt: Text,
    response: Text,
    metrics: z.array(AnswerMetric).min(1).max(8).optional().meta({ description: 'default: all eight' }),
    model: ExamModel.meta({ description: 'the model that grades' }),
    maxCostUsd: z.number().positive().optional().meta({ description: 'refused if the price is unknown' }),
  })
  .meta({ id: 'AnswerRequest' })
export type AnswerRequest = z.infer<typeof AnswerRequest>

/** Which of two answers is better, asked in both orders. */
export const ComparisonRequest = z
  .object({
    prompt: Text,
    a: Text,
    b: Text,
    model: ExamModel.meta({ description: 'the model that compares' }),
    maxCostUsd: z.number().positive().optional(),
  })
  .meta({ id: 'ComparisonRequest' })
export type ComparisonRequest = z.infer<typeof ComparisonRequest>

const Preference = z.enum(['a', 'b', 'tie'])
export const AnswerComparison = z
  .object({
    verdict: Preference.nullable().meta({
      description: 'tie: equal, or the verdict changed with the order; null: no verdict in one order or both',
    }),
    flipped: z.boolean().nullable().meta({ description: 'the verdict changed with the order' }),
    orders: z.array(
      z.object({
        first: z.enum(['a', 'b']).meta({ description: 'the answer that was shown first' }),
        verdict: Preference.nullable(),
        reasoning: z.string().nullable(),
        error: z.string().nullable(),
        text: z.string().nullable(),
      }),
    ),
    lengths: z.object({ a: z.number().int(), b: z.number().int() }).meta({ description: 'in characters' }),
    model: z.string(),
  })
  .meta({ id: 'AnswerComparison' })
export type AnswerComparison = z.infer<typeof AnswerComparison>

/** A step as in `listSteps`, or as agent frameworks write it. */
const GivenStep = z.union([
  z.object({
    action: z.object({ type: z.string().min(1).max(200), content: z.unknown() }),
    observation: z
      .object({
        success: z.boolean().nullish(),
        output: notAPlace(z.string().nullish(), 'what a command printed'),
        blocked: z.boolean().nullish(),
      })
      .nullish(),
  }),
  z.object({
    tool: z.string().min(1).max(200),
    command: z.string().nullish(),
    input: z.unknown().optional(),
    output: notAPlace(z.string().nullish(), 'what a command printed'),
    success: z.boolean().nullish(),
    exitCode: z.number().int().nullish(),
    isError: z.boolean().nullish(),
    rejected: z.boolean().nullish(),
    rejectedBy: z.enum(['user', 'rule', 'interrupt']).nullish(),
    answered: z.boolean().nullish(),
    cwd: notAPlace(z.string().nullish(), 'read with the command, never opened'),
  }),
])
export type GivenStep = z.infer<typeof GivenStep>

/** Exactly one of `traceId`, `taskId`, `episode` and `steps`. */
export const TraceEvaluationRequest = z
  .object({
    traceId: TraceId.optional(),
    taskId: z.string().max(64).optional().meta({ description: 'an agent run' }),
    episode: z
      .object({ set: z.string().max(64), id: z.string().max(200) })
      .optional()
      .meta({ description: 'of a set of rollouts' }),
    steps: z.array(GivenStep).max(20_000).optional(),
    task: Text.optional().meta({ description: 'what was asked for; default: the prompts of the session' }),
    verification: z.enum(['passed', 'failed']).optional().meta({ description: 'of given steps, where it is known' }),
    model: ExamModel.optional().meta({ description: 'grades whether the goal was reached, where no verification tells it' }),
  })
  .meta({ id: 'TraceEvaluationRequest' })
export type TraceEvaluationRequest = z.infer<typeof TraceEvaluationRequest>

/** How far the grades of a model agree with labels of the user. */
export const AgreementState = z.enum(['not_measured', 'unreliable', 'usable']).meta({
  id: 'AgreementState',
  description: 'not_measured: fewer than 30 labels; unreliable: kappa below .6',
})
export const Agreement = z
  .object({
    metric: z.string(),
    model: z.string(),
    rubric: z.number().int().nullable(),
    scale: z.enum(['five', 'yes_no']),
    labels: z.number().int(),
    needed: z.number().int(),
    state: AgreementState,
    kappa: z.number().nullable().meta({ description: 'quadratic weights for 1–5; null below 30 labels' }),
    low: z.number().nullable(),
    high: z.number().nullable(),
    ac1: z.number().nullable(),
  })
  .meta({ id: 'Agreement' })
export type Agreement = z.infer<typeof Agreement>

export const TraceEvaluation = z
  .object({
    tool_call_accuracy: z.number().nullable().meta({ description: 'successful calls of those with a known outcome' }),
    goal_accuracy: z.number().nullable().meta({ description: 'by verification where it is known, else by the model, else null' }),
    efficiency: z.number().nullable(),
    step_economy: z.number().nullable().meta({ description: '1 up to 5 steps, .8 up to 15, .5 up to 30, else .3' }),
    safety: z.number().nullable().meta({ description: '1 − .2 for each blocked command, at least 0; null if a command could not be read' }),
    facts: z.object({
      steps: z.number().int(),
      succeeded: z.number().int(),
      failed: z.number().int(),
      blocked: z.array(z.object({ command: z.string(), why: z.string() })),
      unread: z.number().int().meta({ description: 'commands that are too long for the guardrails to read' }),
      goal: z.object({
        by: z.enum(['verification', 'model']).nullable(),
        reasoning: z.string().nullable(),
        error: z.string().nullable(),
        agreement: Agreement.nullable().meta({ description: 'of this model with your labels, if a model decided' }),
      }),
    }),
  })
  .meta({ id: 'TraceEvaluation' })
export type TraceEvaluation = z.infer<typeof TraceEvaluation>

const pattern = z.string().min(1).max(10_000)
/** Decides a case without a model. */
export const CaseCheck = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('exact'), value: Text }),
    z.object({ kind: z.literal('contains'), value: Text.min(1) }),
    z.object({ kind: z.literal('regex'), value: pattern }),
    z.object({ kind: z.literal('json_schema'), value: z.record(z.string(), z.unknown()) }),
    z.object({
      kind: z.literal('command'),
      value: z
        .string()
        .min(1)
        .max(10_000)
        .meta({ description: 'run by sh in a sandbox; the answer is in the file answer.txt; exit code 0 passes' }),
    }),
  ])
  .meta({ id: 'CaseCheck' })
export type CaseCheck = z.infer<typeof CaseCheck>

/** A case with neither check nor rubric is not scored. */
export const EvaluationCase = z
  .object({
    prompt: Text.min(1),
    system: Text.optional(),
    check: CaseCheck.optional(),
    rubric: RubricText.partial({ role: true, anchors: true }).optional(),
    traceId: TraceId.optional().meta({ description: 'the session it was made from' }),
  })
  .meta({ id: 'EvaluationCase' })
export type EvaluationCase = z.infer<typeof EvaluationCase>

export const EvaluationSet = z
  .object({
    id: AnswerSetId,
    name: z.string(),
    cases: z.number().int(),
    checked: z.number().int().meta({ description: 'cases with a check' }),
    graded: z.number().int().meta({ description: 'cases with a rubric' }),
    hash: z.string(),
    createdAt: Instant,
  })
  .meta({ id: 'EvaluationSet' })
export type EvaluationSet = z.infer<typeof EvaluationSet>

const Source = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('sessions'),
    query: z.string().max(2000).optional().meta({ description: 'in the filter language; default: all sessions' }),
    traceIds: z.array(TraceId).min(1).max(1000).optional(),
  }),
  z.object({ kind: z.literal('set'), set: AnswerSetId, answerer: ExamModel.meta({ description: 'the model that answers the cases' }) }),
  z.object({ kind: z.literal('compare'), runs: z.tuple([AnswerRunId, AnswerRunId]).meta({ description: 'two runs of one own set' }) }),
  z
    .object({ kind: z.literal('shadow') })
    .meta({ description: 'answers of Claude (a) and of the student (b) to the same steps, from the shadow mode of the router' }),
])

/** Prepares a run: reads and clears its texts, and sends nothing. */
export const AnswerRunRequest = z
  .object({
    source: Source,
    metrics: z.array(AnswerMetric).min(1).max(8).default(['task_completion', 'correctness']),
    model: ExamModel.optional().meta({ description: 'the model that grades; not needed for a set whose cases have only checks' }),
    limit: z.number().int().min(1).max(1000).default(50).meta({ description: 'sessions at most, newest first' }),
    maxTokens: z.number().int().min(16).max(8192).default(1024).meta({ description: 'of one answer' }),
    maxCostUsd: z.number().positive().optional().meta({ description: 'refused if a price is unknown' }),
  })
  .meta({ id: 'AnswerRunRequest' })
export type AnswerRunRequest = z.infer<typeof AnswerRunRequest>

const Distribution = z.array(z.number().int()).length(5)

/** The figures of one metric of a run. */
export const MetricFigures = z
  .object({
    metric: z.string(),
    n: z.number().int(),
    mean: z.number().nullable(),
    counts: Distribution.meta({ description: 'how often 1 to 5 were given' }),
    errors: z.number().int(),
    spread: z
      .number()
      .nullable()
      .meta({ description: 'mean difference between the highest and the lowest of three repeats, in points; null: not measured' }),
    repeated: z.number().int().meta({ description: 'answers that were graded three times' }),
    lengthCorrelation: z
      .number()
      .nullable()
      .meta({ description: 'of score and length of the answer (Pearson); null with fewer than three' }),
    agreement: Agreement.nullable(),
  })
  .meta({ id: 'MetricFigures' })
export type MetricFigures = z.infer<typeof MetricFigures>

export const AnswerRunPlan = z.object({
  requests: z.number().int().meta({ description: 'still to be sent, without those for repairs' }),
  inputTokens: z.number().int(),
  mostOutputTokens: z.number().int(),
  mostUsd: z.number().nullable(),
  payer: z.string().nullable(),
  receiver: z.string().nullable(),
  findings: z.record(z.string(), z.number().int()).meta({ description: 'replaced in the texts, by type' }),
  leftOut: z.array(z.object({ reason: z.string(), count: z.number().int() })),
})

/** Where a run is, without its figures. */
export const AnswerRunStatus = z
  .object({
    id: AnswerRunId,
    title: z.string(),
    state: z
      .enum(['prepared', 'queued', 'running', 'done', 'cancelled', 'stopped'])
      .meta({ description: 'prepared: nothing was sent yet' }),
    detail: z.string().nullable().meta({ description: 'why it stopped' }),
    done: z.number().int().meta({ description: 'requests that ended' }),
    total: z.number().int(),
    owed: z.number().int().meta({ description: 'requests that got no answer; Resume asks them again' }),
  })
  .meta({ id: 'AnswerRunStatus' })
export type AnswerRunStatus = z.infer<typeof AnswerRunStatus>

/** Answers that a model grades, or cases that a model answers. */
export const AnswerRun = AnswerRunStatus.extend({
  request: AnswerRunRequest,
  labels: z.object({ model: z.string().nullable(), answerer: z.string().nullable() }),
  items: z.number().int(),
  plan: AnswerRunPlan,
  metrics: z.array(MetricFigures),
  cases: z
    .object({
      passed: z.number().int(),
      failed: z.number().int(),
      notScored: z.number().int(),
      rate: z.number().nullable(),
      low: z.number().nullable(),
      high: z.number().nullable(),
    })
    .nullable()
    .meta({ description: 'of a set: cases with a check, with the 95 % interval of Wilson' }),
  comparison: z
    .object({
      a: z.number().int(),
      b: z.number().int(),
      ties: z.number().int(),
      flips: z.number().int(),
      flipRate: z.number().nullable(),
      longerWins: z.number().nullable().meta({ description: 'share of decided pairs that the longer answer won' }),
      errors: z.number().int(),
    })
    .nullable(),
  selfTest: z
    .object({
      plain: z.number().int().nullable(),
      injected: z.number().int().nullable(),
      passed: z
        .boolean()
        .nullable()
        .meta({ description: 'false: an instruction inside the material raised the score; null: not measured' }),
    })
    .nullable(),
  notes: z.array(z.string()),
  costUsd: z.number().nullable(),
  createdAt: Instant,
  startedAt: Instant.nullable(),
  endedAt: Instant.nullable(),
}).meta({ id: 'AnswerRun' })
export type AnswerRun = z.infer<typeof AnswerRun>

export const AnswerLabel = z.object({ metric: z.string(), scale: z.enum(['five', 'yes_no']), value: z.number().int().min(0).max(5) })
export type AnswerLabel = z.infer<typeof AnswerLabel>

/** One answer of a run: the texts as they are sent. */
export const AnswerItem = z
  .object({
    id: z.string().meta({ description: 'of the run, with the number' }),
    no: z.number().int(),
    traceId: TraceId.nullable(),
    title: z.string().nullable(),
    prompt: z.string(),
    response: z.string().nullable().meta({ description: 'null: not answered yet' }),
    other: z.string().nullable().meta({ description: 'the second answer of a comparison' }),
    findings: z.record(z.string(), z.number().int()),
    check: CaseCheck.nullable(),
    rubric: z.string().nullable().meta({ description: 'of a case: what its rubric grades' }),
    verdict: z.enum(['passed', 'failed', 'not_scored']).nullable().meta({ description: 'of a case; null: not answered, or not a case' }),
    why: z.string().nullable(),
    comparison: AnswerComparison.pick({ verdict: true, flipped: true }).nullable(),
    scores: z.array(AnswerScore.extend({ repeat: z.number().int().meta({ description: 'from 0; in a comparison 1 is the other order' }) })),
    labels: z.array(AnswerLabel),
  })
  .meta({ id: 'AnswerItem' })
export type AnswerItem = z.infer<typeof AnswerItem>
