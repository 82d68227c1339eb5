import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import {
  Agreement,
  AnswerComparison,
  AnswerItem,
  AnswerMetric,
  LabelMetric,
  AnswerRequest,
  AnswerRun,
  AnswerRunId,
  AnswerRunRequest,
  AnswerScore,
  AnswerSetId,
  ComparisonRequest,
  EvaluationCase,
  EvaluationSet,
  Rubric,
  RubricText,
  TraceEvaluation,
  TraceEvaluationRequest,
} from '../entities/answer.ts'
import { Cursor, Limit, page, TraceId } from '../entities/common.ts'
import { Job } from '../entities/job.ts'

const route = routesOf('judge')
const params = z.object({ id: AnswerRunId })
const setParams = z.object({ id: AnswerSetId })

export const gradeResponse = route.post('gradeResponse', '/api/judge/response', {
  summary: 'Grade an answer by rubrics; a metric without a valid grade is null with its error',
  body: AnswerRequest,
  response: z.array(AnswerScore),
  errors: ['model_not_found', 'answer_run_refused', 'confirmation_required'],
})
export const compareResponses = route.post('compareResponses', '/api/judge/compare', {
  summary: 'Compare two answers in both orders; a verdict that changes with the order is a tie',
  body: ComparisonRequest,
  response: AnswerComparison,
  errors: ['model_not_found', 'answer_run_refused', 'confirmation_required'],
})
export const evaluateTrace = route.post('evaluateTrace', '/api/judge/trace', {
  summary: 'Accuracy, goal, efficiency, economy and safety of the steps of an agent',
  body: TraceEvaluationRequest,
  response: TraceEvaluation,
  errors: [
    'trace_not_found',
    'task_not_found',
    'rollouts_not_found',
    'episode_not_found',
    'model_not_found',
    'archive_damaged',
    'answer_run_refused',
    'confirmation_required',
  ],
  stored: { none: 'the sessions name no place that is used' },
})
export const listRubrics = route.get('listRubrics', '/api/judge/rubrics', {
  summary: 'The rubric of each metric in every version, the current one first',
  response: z.object({ items: z.array(Rubric) }),
})
export const saveRubric = route.put('saveRubric', '/api/judge/rubrics/{metric}', {
  summary: 'Add a version of a rubric; earlier grades keep theirs',
  params: z.object({ metric: AnswerMetric }),
  body: RubricText,
  response: Rubric,
  stored: { none: 'a rubric is text' },
})
export const listAgreement = route.get('listAgreement', '/api/judge/agreement', {
  summary: 'How far the grades of each model agree with your labels',
  response: z.object({ items: z.array(Agreement) }),
})
export const listAnswerRuns = route.get('listAnswerRuns', '/api/judge/runs', {
  summary: 'Runs that grade answers, and runs of own sets, newest first',
  query: z.object({ kind: z.enum(['sessions', 'set', 'compare']).optional(), set: AnswerSetId.optional(), cursor: Cursor, limit: Limit }),
  response: page(AnswerRun),
})
export const prepareAnswerRun = route.post('prepareAnswerRun', '/api/judge/runs', {
  summary: 'Read and clear the texts of a run, and send nothing; `result` of the job is an AnswerRun',
  status: 202,
  body: AnswerRunRequest,
  response: Job,
  errors: [
    'filter_invalid',
    'model_not_found',
    'answer_run_refused',
    'answer_run_not_found',
    'answer_set_not_found',
    'confirmation_required',
  ],
})
export const getAnswerRun = route.get('getAnswerRun', '/api/judge/runs/{id}', {
  summary: 'A run with its figures so far',
  params,
  response: AnswerRun,
  errors: ['answer_run_not_found'],
})
export const listAnswerItems = route.get('listAnswerItems', '/api/judge/runs/{id}/items', {
  summary: 'The texts of a run as they are sent, with grades, reasons and your labels',
  params,
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(AnswerItem),
  errors: ['answer_run_not_found'],
})
export const startAnswerRun = route.post('startAnswerRun', '/api/judge/runs/{id}/start', {
  summary: 'Send what was not sent yet, and what got no answer',
  status: 202,
  params,
  body: z.object({ maxCostUsd: z.number().positive().optional().meta({ description: 'a new cap for the whole run' }) }).default({}),
  response: AnswerRun,
  errors: ['answer_run_not_found', 'answer_run_refused', 'confirmation_required'],
  stored: 'answerRun',
})
export const cancelAnswerRun = route.post('cancelAnswerRun', '/api/judge/runs/{id}/cancel', {
  summary: 'Stop a run; its grades are kept',
  params,
  response: AnswerRun,
  errors: ['answer_run_not_found'],
  stored: { none: 'it only stops requests' },
})
export const labelAnswer = route.put('labelAnswer', '/api/judge/runs/{id}/items/{no}/labels/{metric}', {
  summary: 'Your own grade of an answer, 1–5 or yes (1) and no (0); null removes it',
  params: params.extend({ no: z.coerce.number().int().min(0), metric: LabelMetric }),
  body: z.object({ scale: z.enum(['five', 'yes_no']).default('five'), value: z.number().int().min(0).max(5).nullable() }),
  response: AnswerItem,
  errors: ['answer_run_not_found', 'not_found'],
  stored: { none: 'it stores a number' },
})
export const listEvaluationSets = route.get('listEvaluationSets', '/api/judge/sets', {
  summary: 'Own evaluation sets, newest first',
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(EvaluationSet),
})
export const makeEvaluationSet = route.post('makeEvaluationSet', '/api/judge/sets', {
  summary: 'Make a set from cases, from JSON lines, or from the prompts of sessions',
  body: z.object({
    name: z.string().trim().min(1).max(80),
    cases: z.array(EvaluationCase).min(1).max(5000).optional(),
    jsonl: z.string().max(16_000_000).optional().meta({ description: 'one case a line' }),
    traceIds: z.array(TraceId).min(1).max(500).optional().meta({ description: 'the first prompt of each becomes a case' }),
    query: z.string().max(2000).optional().meta({ description: 'sessions in the filter language' }),
  }),
  response: EvaluationSet,
  errors: ['answer_set_invalid', 'filter_invalid', 'archive_damaged'],
})
export const getEvaluationSet = route.get('getEvaluationSet', '/api/judge/sets/{id}', {
  summary: 'An own set',
  params: setParams,
  response: EvaluationSet,
  errors: ['answer_set_not_found'],
})
export const listEvaluationCases = route.get('listEvaluationCases', '/api/judge/sets/{id}/cases', {
  summary: 'The cases of an own set',
  params: setParams,
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(EvaluationCase.extend({ id: z.string(), no: z.number().int() })),
  errors: ['answer_set_not_found'],
})
