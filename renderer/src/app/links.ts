import type { DatasetKind } from '#contracts/entities/dataset.ts'
import { STRATEGY_OF } from '#contracts/train-on-this.ts'

/** Addresses of pages and of filtered lists. */
export const tracesHref = (query: string): string => (query.trim() ? `/traces?q=${encodeURIComponent(query.trim())}` : '/traces')
export const traceHref = (id: string): string => `/traces?id=${id}`
export const stepHref = (traceId: string, stepId: string): string => `${traceHref(traceId)}&item=${encodeURIComponent(stepId)}`
export const taskHref = (id: string): string => `/arena/tasks/${id}`
export const sandboxHref = (id: string): string => `/arena/${id}`
export const shellTaskHref = (id: string): string => `/arena/shell-tasks/${encodeURIComponent(id)}`
export const generateShellTasksHref = '/arena/shell-tasks/new/generate'
/** Shell tasks that a session allows. */
export const shellTasksOfHref = (traceId: string): string => `/arena/shell-tasks/from/${traceId}`
export const batchHref = (id: string): string => `/arena/batches/${id}`
export const rolloutsHref = (id: string): string => `/arena/rollouts/${id}`
export const rolloutGroupHref = (id: string, group: number): string => `/arena/rollouts/${id}/${group}`
export const newRolloutsHref = '/arena/rollouts/new'
/** Tasks for agents; with the sessions of a filter or those that were selected to be done again. */
export const newBatchHref = (search: { q?: string; from?: 'selection' }): string =>
  ['/arena/batches/new', new URLSearchParams(search).toString()].filter(Boolean).join('?')
export const runHref = (id: string): string => `/training/${id}`
export const matrixHref = (id: string): string => `/training/matrix/${id}`
export const datasetHref = (id: string): string => `/factory/datasets/${id}`
export const examHref = (id: string): string => `/evaluator/${id}`
export const examRunHref = (id: string, run: string): string => `/evaluator/${id}/${run}`
/** "Is it better?": exams for a model. */
export const isItBetterHref = (modelId: string): string => `/evaluator?model=${modelId}`
export const modelHref = (id: string): string => `/models/${id}`
export const findingHref = (traceId: string, id: string): string => `/privacy?trace=${traceId}&id=${encodeURIComponent(id)}`
/** A new run with a data set filled in. */
export const newRunHref = ({ id, kind }: { id: string; kind: DatasetKind }): string =>
  `/training/new?dataset=${id}&strategy=${STRATEGY_OF[kind]}`
/** "Train on this": the card of a data set that a new run follows. */
export const trainHref = (search: Record<string, string>): string =>
  `/factory/datasets/new?${new URLSearchParams({ ...search, train: '1' }).toString()}`
