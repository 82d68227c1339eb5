import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { csv, Cursor, IdempotencyKey, Limit, page, TagChange } from '../entities/common.ts'
import { DatasetRecipe } from '../entities/dataset.ts'
import { Job } from '../entities/job.ts'
import {
  ComputeDevice,
  MetricSeries,
  Run,
  RunCheckpoint,
  RunId,
  RunLogLine,
  RunPlan,
  RunRequest,
  RunSample,
  RunState,
  SavedPreset,
  SystemPoint,
  TrainingEnvironment,
  TrainingQueue,
} from '../entities/run.ts'
import { TrainStrategy } from '../trainer.ts'

const route = routesOf('training')
const params = z.object({ id: RunId })
const runAction = { params, response: Run, errors: ['run_not_found', 'run_state'] } as const

const cannotPlan = ['dataset_not_found', 'shell_split_not_found', 'path_refused', 'base_model_not_found', 'confirmation_required'] as const
const cannotStart = [...cannotPlan, 'run_refused', 'training_unavailable'] as const

export const planRun = route.post('planRun', '/api/training/plan', {
  summary: 'Preview a run: rows, tokens, steps, memory, time, disk; nothing is written',
  body: RunRequest,
  response: RunPlan,
  onlyLooks: true,
  errors: cannotPlan,
})
export const startRun = route.post('startRun', '/api/training/start', {
  summary: 'Queue a run; the same idempotencyKey returns the same run',
  status: 202,
  body: RunRequest.extend({
    idempotencyKey: IdempotencyKey.optional(),
    selectedRepos: DatasetRecipe.shape.repos.meta({
      description: 'instead of a data set: one is built first of the gold sessions of these repositories; empty = of all of them',
    }),
  }),
  response: Run,
  errors: [...cannotStart, 'invalid_request', 'dataset_kind_unavailable', 'job_running'],
})
export const dryRun = route.post('dryRun', '/api/training/dry-run', {
  summary: 'Two optimiser steps on the longest rows; `result` of the job: {stepSec, peakRssMb, peakVramMb, longest, isWorstCase}',
  status: 202,
  body: RunRequest,
  response: Job,
  errors: [...cannotStart, 'job_running'],
})
export const listRuns = route.get('listRuns', '/api/training', {
  summary: 'Runs, newest first',
  query: z.object({
    state: csv(RunState).optional(),
    strategy: TrainStrategy.optional(),
    datasetId: z.string().max(100).optional(),
    q: z.string().max(200).optional().meta({ description: 'part of name, base model, data set, tag' }),
    starred: z.stringbool().optional(),
    cursor: Cursor,
    limit: Limit,
  }),
  response: page(Run),
})
export const getRun = route.get('getRun', '/api/training/{id}', {
  summary: 'One run',
  params,
  response: Run,
  errors: ['run_not_found'],
})
export const patchRun = route.patch('patchRun', '/api/training/{id}', {
  summary: 'Name, tags, note, star',
  params,
  stored: { none: 'it changes only what is shown' },
  body: z
    .strictObject({
      name: z.string().trim().min(1).max(120),
      ...TagChange.shape,
      note: z.string().max(10_000).nullable(),
      starred: z.boolean(),
    })
    .partial(),
  response: Run,
  errors: ['run_not_found'],
})
export const deleteRun = route.delete('deleteRun', '/api/training/{id}', {
  summary: 'Delete an ended run with its folder; refused while a model depends on it',
  params,
  stored: { none: 'it removes only the files of the run' },
  response: z.object({ freedBytes: z.number() }),
  errors: ['run_not_found', 'run_state', 'run_in_use'],
})
export const pauseRun = route.post('pauseRun', '/api/training/{id}/pause', {
  summary: 'Save a checkpoint and free the device',
  ...runAction,
  stored: { none: 'it only ends a process' },
})
export const resumeRun = route.post('resumeRun', '/api/training/{id}/resume', {
  summary: 'Continue from the newest checkpoint; refused if data, model or trainer changed',
  ...runAction,
  stored: 'run',
  errors: ['run_not_found', 'run_state', 'run_changed', 'training_unavailable', 'path_refused', 'confirmation_required'],
})
export const cancelRun = route.post('cancelRun', '/api/training/{id}/cancel', {
  summary: 'End a run, with or without keeping a checkpoint',
  ...runAction,
  stored: { none: 'it only ends a process' },
  body: z.object({ keepCheckpoint: z.boolean().default(false) }),
})
export const getQueue = route.get('getQueue', '/api/training/queue', {
  summary: 'The queue of waiting runs',
  response: TrainingQueue,
})
export const patchQueue = route.patch('patchQueue', '/api/training/queue', {
  summary: 'Pause the queue, set its order, or choose whether it continues after a failure',
  body: z.strictObject({ paused: z.boolean(), continueAfterFailure: z.boolean(), order: z.array(RunId).max(1000) }).partial(),
  response: TrainingQueue,
})
export const getRunMetrics = route.get('getRunMetrics', '/api/training/{id}/metrics', {
  summary: 'Metrics over a range, in buckets that keep minimum and maximum; without `names`, only the list of names',
  params,
  query: z.object({
    names: csv(z.string().max(100)).optional(),
    from: z.coerce.number().optional().meta({ description: 'step, inclusive' }),
    to: z.coerce.number().optional(),
    points: z.coerce.number().int().min(10).max(20_000).default(1000),
  }),
  response: z.object({ names: z.array(z.string()), series: z.array(MetricSeries) }),
  errors: ['run_not_found'],
})
export const getRunSystem = route.get('getRunSystem', '/api/training/{id}/system', {
  summary: 'CPU, GPU and memory use during the run, as at most `points` points',
  params,
  query: z.object({ points: z.coerce.number().int().min(10).max(5000).default(500) }),
  response: z.object({ items: z.array(SystemPoint) }),
  errors: ['run_not_found'],
})
export const getRunSamples = route.get('getRunSamples', '/api/training/{id}/samples', {
  summary: 'Samples of the model at evaluations, and rollouts with their rewards; newest first',
  params,
  query: z.object({
    source: z.enum(['evaluation', 'rollout']).optional(),
    step: z.coerce.number().int().optional(),
    cursor: Cursor,
    limit: Limit,
  }),
  response: page(RunSample),
  errors: ['run_not_found'],
})
export const getRunCheckpoints = route.get('getRunCheckpoints', '/api/training/{id}/checkpoints', {
  summary: 'Checkpoints, including removed ones',
  params,
  response: z.object({ items: z.array(RunCheckpoint) }),
  errors: ['run_not_found'],
})
export const getRunLogs = route.get('getRunLogs', '/api/training/{id}/logs', {
  summary: 'Lines of the log after `after`; by default the last `limit` lines. With `follow`, JSON Lines of RunLogLine until the run ends',
  params,
  query: z.object({
    after: z.coerce.number().int().min(0).optional().meta({ description: 'number of a line' }),
    q: z.string().max(200).optional(),
    limit: z.coerce.number().int().min(1).max(5000).default(500),
    follow: z
      .stringbool()
      .default(false)
      .meta({ description: 'streams these lines and each later one; ends when the run ends or is paused' }),
  }),
  produces: 'application/x-ndjson',
  response: z.object({
    lines: z.array(RunLogLine),
    next: z.number().int(),
    total: z.number().int(),
    logBytes: z
      .number()
      .int()
      .meta({ description: 'bytes of the log file that the lines cover; the stream `run-log` continues from there' }),
  }),
  errors: ['run_not_found'],
})
export const getTrainingDevices = route.get('getTrainingDevices', '/api/training/devices', {
  summary: 'Current GPU and CPU',
  response: z.object({
    items: z.array(ComputeDevice),
    problem: z.string().nullable(),
    blocked: z
      .boolean()
      .optional()
      .meta({ description: 'true if there is a GPU that the Python for training cannot use; `problem` has the reason' }),
  }),
})
export const listPresets = route.get('listPresets', '/api/training/presets', {
  summary: 'Saved presets',
  response: z.object({ items: z.array(SavedPreset) }),
})
export const savePreset = route.put('savePreset', '/api/training/presets', {
  summary: 'Save a form as a preset',
  body: SavedPreset,
  response: SavedPreset,
  onlyLooks: true, // what is saved is judged again when a run starts
  errors: ['path_refused', 'confirmation_required'],
})
export const deletePreset = route.delete('deletePreset', '/api/training/presets/{name}', {
  summary: 'Delete a preset',
  stored: { none: 'it removes a row' },
  params: z.object({ name: z.string().min(1).max(80) }),
  response: z.object({ items: z.array(SavedPreset) }),
  errors: ['not_found'],
})
export const getTrainingEnvironment = route.get('getTrainingEnvironment', '/api/training/environment', {
  summary: 'The Python environment for training',
  query: z.object({ fresh: z.stringbool().default(false) }),
  response: TrainingEnvironment,
})
export const installTrainingEnvironment = route.post('installTrainingEnvironment', '/api/training/environment/install', {
  summary: 'Install or repair the environment in the data directory; `result` of the job is a TrainingEnvironment',
  status: 202,
  body: z.object({ repair: z.boolean().default(false), build: z.enum(['auto', 'cpu', 'cuda']).default('auto') }),
  response: Job,
  errors: ['job_running', 'training_unavailable', 'disk_full'],
})
export const getTrainingEnvironmentLog = route.get('getTrainingEnvironmentLog', '/api/training/environment/log', {
  summary: 'The end of the installer output; `file` has all of it',
  response: z.object({ file: z.string(), text: z.string() }),
})
export const removeTrainingEnvironment = route.delete('removeTrainingEnvironment', '/api/training/environment', {
  summary: 'Remove the environment from the data directory',
  response: TrainingEnvironment,
  errors: ['run_state', 'job_running'],
})
