import type { DatasetKind } from '#contracts/entities/dataset.ts'
import { STRATEGY_OF } from '#contracts/train-on-this.ts'

/** Addresses of pages and of filtered lists. */
export const tracesHref = (query: string): string => (query.trim() ? `/traces?q=${encodeURIComponent(query.trim())}` : '/traces')
export const traceHref = (id: string): string => `/traces?id=${id}`
export const stepHref = (traceId: string, stepId: string): string => `${traceHref(traceId)}&item=${encodeURIComponent(stepId)}`
/** Where the time of a session went; with the span that is shown first. */
export const profileHref = (traceId: string, spanId?: string): string =>
  `/profiler/${traceId}${spanId === undefined ? '' : `?span=${encodeURIComponent(spanId)}`}`
export const profilesHref = (query: string): string => (query.trim() ? `/profiler?q=${encodeURIComponent(query.trim())}` : '/profiler')
export const tasksHref = '/agents'
export const newTaskHref = '/agents/tasks/new'
export const taskHref = (id: string): string => `/agents/tasks/${id}`
export const sandboxesHref = '/sandboxes'
export const sandboxHref = (id: string): string => `/sandboxes/${id}`
export const shellTaskHref = (id: string): string => `/shell-tasks/tasks/${encodeURIComponent(id)}`
export const generateShellTasksHref = '/shell-tasks/new/generate'
/** Shell tasks that a session allows. */
export const shellTasksOfHref = (traceId: string): string => `/shell-tasks/from/${traceId}`
export const batchHref = (id: string): string => `/agents/batches/${id}`
export const rolloutsHref = (id: string): string => `/shell-tasks/rollouts/${id}`
export const rolloutGroupHref = (id: string, group: number): string => `/shell-tasks/rollouts/${id}/${group}`
export const newRolloutsHref = '/shell-tasks/rollouts/new'
/** Tasks for agents; with the sessions of a filter or those that were selected to be done again. */
export const newBatchHref = (search: { q?: string; from?: 'selection' }): string =>
  ['/agents/batches/new', new URLSearchParams(search).toString()].filter(Boolean).join('?')
export const runHref = (id: string): string => `/training/${id}`
export const matrixHref = (id: string): string => `/training/matrix/${id}`
export const datasetHref = (id: string): string => `/factory/datasets/${id}`
export const examHref = (id: string): string => `/evaluator/${id}`
export const examRunHref = (id: string, run: string): string => `/evaluator/${id}/${run}`
/** "Is it better?": exams for a model. */
export const THERMOMETER_HREF = '/evaluator/thermometer'
export const isItBetterHref = (modelId: string): string => `/evaluator?model=${modelId}`
export const modelHref = (id: string): string => `/models/${id}`
export const findingHref = (traceId: string, id: string): string => `/privacy?trace=${traceId}&id=${encodeURIComponent(id)}`
/** A new run with a data set filled in. */
export const newRunHref = ({ id, kind }: { id: string; kind: DatasetKind }): string =>
  `/training/new?dataset=${id}&strategy=${STRATEGY_OF[kind]}`
/** "Train on this": the card of a data set that a new run follows. */
export const trainHref = (search: Record<string, string>): string =>
  `/factory/datasets/new?${new URLSearchParams({ ...search, train: '1' }).toString()}`
/** Grades by a model: of the sessions of a filter, or of those that were selected. */
export const gradeHref = (search: { q?: string; from?: 'selection' }): string =>
  `/evaluator/answers?${new URLSearchParams(search).toString()}`
/** The form for a model that judges answers in the shadow. */
export const compareShadowHref = '/evaluator/answers?from=shadow'
export const benchmarksHref = '/evaluator/benchmarks'
export const benchmarkRunHref = (id: string): string => `/evaluator/benchmarks/${id}`
