import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Cursor, Limit, page } from '../entities/common.ts'
import {
  Exam,
  ExamCandidate,
  ExamCertificate,
  ExamId,
  ExamItem,
  ExamItemContext,
  ExamPictures,
  ExamPlan,
  ExamRequest,
  ExamResult,
  ExamRun,
  ExamRunId,
  ExamRunPlan,
  ExamRunRequest,
  ExamTask,
} from '../entities/exam.ts'
import { Job } from '../entities/job.ts'
import { ModelId } from '../entities/model.ts'

const route = routesOf('exams')
const params = z.object({ id: ExamId })
const runParams = params.extend({ run: ExamRunId })

export const listExams = route.get('listExams', '/api/exams', {
  summary: 'Exams, newest first',
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(Exam),
})
export const planExam = route.post('planExam', '/api/exams/plan', {
  summary: 'The sessions that an exam would hold out, and why it leaves out others; nothing is made',
  body: ExamRequest,
  response: ExamPlan,
  onlyLooks: true,
  errors: ['filter_invalid', 'model_not_found'],
})
export const makeExam = route.post('makeExam', '/api/exams', {
  summary: 'Make an exam from recorded calls or solved tasks; its sessions never enter a data set again. `result` of the job is an Exam',
  status: 202,
  body: ExamRequest,
  response: Job,
  errors: ['filter_invalid', 'model_not_found', 'job_running', 'exam_empty'],
})
export const getExam = route.get('getExam', '/api/exams/{id}', {
  summary: 'An exam',
  params,
  response: Exam,
  errors: ['exam_not_found'],
})
export const resumeExam = route.post('resumeExam', '/api/exams/{id}/resume', {
  summary: 'Go on making an exam of solved tasks that was interrupted or cancelled. `result` of the job is an Exam',
  status: 202,
  params,
  response: Job,
  errors: ['exam_not_found', 'exam_made', 'job_running'],
  stored: { none: 'it names sessions only' },
})
export const listExamCandidates = route.get('listExamCandidates', '/api/exams/{id}/candidates', {
  summary: 'The sessions that were considered for an exam of solved tasks, and why those that gave no task fell out',
  params,
  query: z.object({ reason: z.string().max(300).optional(), cursor: Cursor, limit: Limit }),
  response: page(ExamCandidate),
  errors: ['exam_not_found'],
})
export const listExamTasks = route.get('listExamTasks', '/api/exams/{id}/tasks', {
  summary: 'The tasks of an exam, with their proofs',
  params,
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(ExamTask),
  errors: ['exam_not_found'],
})
export const removeExamTask = route.delete('removeExamTask', '/api/exams/{id}/tasks/{task}', {
  summary: 'Leave a task out of an exam, before its first run. Its session stays out of data sets',
  params: params.extend({ task: z.string().max(64) }),
  response: Exam,
  errors: ['exam_not_found', 'exam_taken', 'not_found'],
  stored: { none: 'it only leaves a task out' },
})
export const editExamTask = route.patch('editExamTask', '/api/exams/{id}/tasks/{task}', {
  summary: 'Change what agents are asked in a task, before the first run of its exam. Its proofs do not depend on the prompt',
  params: params.extend({ task: z.string().max(64) }),
  body: z.object({ prompt: z.string().trim().min(1).max(100_000) }),
  response: ExamTask,
  errors: ['exam_not_found', 'exam_taken', 'not_found'],
  stored: { none: 'it only changes a text' },
})
export const getExamItem = route.get('getExamItem', '/api/exams/{id}/items/{item}', {
  summary: 'What the models are asked in one item: the conversation up to the recorded call',
  params: params.extend({ item: z.string().max(64) }),
  response: ExamItemContext,
  errors: ['exam_not_found', 'not_found'],
})
export const listExamRuns = route.get('listExamRuns', '/api/exams/{id}/runs', {
  summary: 'Runs of an exam, newest first',
  params,
  query: z.object({ model: ModelId.optional(), cursor: Cursor, limit: Limit }),
  response: page(ExamRun),
  errors: ['exam_not_found'],
})
export const planExamRun = route.post('planExamRun', '/api/exams/{id}/runs/plan', {
  summary: 'What a run would cost, who gets what, the smallest effect it can show, and why it cannot start',
  params,
  body: ExamRunRequest,
  response: ExamRunPlan,
  onlyLooks: true,
  errors: ['exam_not_found', 'model_not_found', 'confirmation_required'],
  stored: { none: 'the exam names no place' },
})
export const startExamRun = route.post('startExamRun', '/api/exams/{id}/runs', {
  summary: 'Ask a model and its base for the next call of every item',
  status: 202,
  params,
  body: ExamRunRequest,
  response: ExamRun,
  errors: ['exam_not_found', 'model_not_found', 'exam_run_refused', 'confirmation_required'],
  stored: { none: 'the exam names no place' },
})
export const getExamRun = route.get('getExamRun', '/api/exams/{id}/runs/{run}', {
  summary: 'A run of an exam, with its figures so far',
  params: runParams,
  response: ExamRun.extend({ result: ExamResult }),
  errors: ['exam_not_found', 'exam_run_not_found'],
})
export const getExamPictures = route.get('getExamPictures', '/api/exams/{id}/runs/{run}/pictures', {
  summary: 'Both scores of each item, differences with their intervals, and how many sessions would show which difference',
  params: runParams,
  response: ExamPictures,
  errors: ['exam_not_found', 'exam_run_not_found'],
})
export const listExamItems = route.get('listExamItems', '/api/exams/{id}/runs/{run}/items', {
  summary: 'Both answers to each item, the largest losses first',
  params: runParams,
  query: z.object({ only: z.enum(['losses', 'wins', 'ties', 'owed']).optional(), cursor: Cursor, limit: Limit }),
  response: page(ExamItem),
  errors: ['exam_not_found', 'exam_run_not_found'],
})
export const cancelExamRun = route.post('cancelExamRun', '/api/exams/{id}/runs/{run}/cancel', {
  summary: 'Stop a run; its answers are kept',
  params: runParams,
  response: ExamRun,
  errors: ['exam_not_found', 'exam_run_not_found'],
  stored: { none: 'it only stops requests' },
})
export const resumeExamRun = route.post('resumeExamRun', '/api/exams/{id}/runs/{run}/resume', {
  summary: 'Ask the items that were not asked yet',
  status: 202,
  params: runParams,
  body: z.object({ maxCostUsd: z.number().positive().optional().meta({ description: 'a new cap for the whole run' }) }).default({}),
  response: ExamRun,
  errors: ['exam_not_found', 'exam_run_not_found', 'exam_run_refused', 'confirmation_required'],
  stored: 'examRun',
})
export const repeatOwedExamItems = route.post('repeatOwedExamItems', '/api/exams/{id}/runs/{run}/repeat-owed', {
  summary: 'Ask again, on both sides, the items of which one side got no verdict',
  status: 202,
  params: runParams,
  response: ExamRun,
  errors: ['exam_not_found', 'exam_run_not_found', 'exam_run_refused', 'exam_run_active', 'confirmation_required'],
  stored: 'examRun',
})
export const decideExamRun = route.post('decideExamRun', '/api/exams/{id}/runs/{run}/decide', {
  summary: 'Compute the verdict from the stored answers, and store it as a certificate',
  params: runParams,
  response: ExamCertificate,
  errors: ['exam_not_found', 'exam_run_not_found', 'exam_run_active', 'exam_run_refused'],
  stored: { none: 'it only computes' },
})
export const getExamCertificate = route.get('getExamCertificate', '/api/exams/{id}/runs/{run}/certificate', {
  summary: 'The certificate of a decided run',
  params: runParams,
  response: ExamCertificate,
  errors: ['exam_not_found', 'exam_run_not_found', 'exam_not_decided'],
})
