import fs from 'node:fs'
import path from 'node:path'
import { isoOf } from '#contracts/instant.ts'
import type { MatrixValues } from '#contracts/entities/matrix-values.ts'
import type { Run, RunHealth, RunRequest, RunState } from '#contracts/entities/run.ts'
import { TrainPhase, type TrainSettings, type TrainStrategy } from '#contracts/trainer.ts'
import type { EngineHandle } from '#server/adapters/engine/types.ts'
import type { RequestedAction } from '#server/runs/types.ts'
import type { Live } from './live.ts'

/** A run as it was requested, with its resolved settings and paths. */
export interface Asked {
  request: RunRequest
  settings: TrainSettings
  baseModelPath: string
  teacherPath: string | null
  repos: string[]
  files: { train: string; val: string | null }
  estimateBytes: number | null
  /** Names, sizes and times of the base model's files when it was started. */
  modelStamp: string
  /** What it computes on; runs of former versions have none. */
  device?: 'cpu' | 'cuda'
  /** The matrix it belongs to, and its values in it; absent: it was started alone. */
  matrix?: { id: string; values: MatrixValues }
}

export type RunError = NonNullable<Run['error']>

/** A row of `runs`, its JSON read. */
export interface RunRow {
  no: number
  id: string
  name: string
  state: RunState
  strategy: TrainStrategy
  baseModel: string
  datasetId: string | null
  datasetName: string | null
  asked: Asked
  queuePlace: number | null
  handle: EngineHandle | null
  requestedAction: RequestedAction | null
  live: Live
  error: RunError | null
  health: RunHealth[]
  tags: string[]
  note: string | null
  starred: boolean
  modelId: string | null
  sizeBytes: number | null
  createdAt: number
  startedAt: number | null
  endedAt: number | null
}

const ACTIVE = new Set<RunState>(['preparing', 'running', 'pausing'])

/** Cannot be stored itself: it holds as long as nothing can. */
const DISK_FULL_WARNING = {
  code: 'disk_full',
  message: "The disk is full, so this run's progress cannot be saved. Free up disk space; it is then read from the run's files.",
}

/** Of a run of a version that knew nothing of them. */
const unasked = ({ maxCompletion }: TrainSettings) => ({ nextCalls: 0, bestBy: 'loss' as const, teacherTokens: maxCompletion })

/** The run as in the contract. `queuePosition` counts from 1. */
export function toRun(row: RunRow, place: { folder: string; queuePosition: number | null; isUnstored: boolean }): Run {
  const { asked, live } = row
  const isActive = ACTIVE.has(row.state)
  const followsCalls = asked.settings.bestBy === 'next_call' && live.nextCalls?.reason === null
  const isAtWork = isActive && live.phase !== null && live.outcome === null
  return {
    id: row.id,
    no: row.no,
    name: row.name,
    state: row.state,
    phase: isActive ? (TrainPhase.safeParse(live.phase).data ?? null) : null,
    strategy: row.strategy,
    baseModel: row.baseModel,
    baseModelPath: asked.baseModelPath,
    teacher: asked.request.teacher ?? null,
    datasetId: row.datasetId,
    datasetName: row.datasetName,
    repos: asked.repos,
    method: asked.settings.method,
    preset: asked.request.preset,
    settings: { ...unasked(asked.settings), ...asked.settings },
    request: asked.request,
    engine: asked.request.engine,
    device: live.device,
    rows: live.rows,
    tokens: live.tokens,
    step: live.step,
    totalSteps: live.totalSteps,
    epoch: live.epoch,
    loss: live.loss,
    evalLoss: live.evalLoss,
    bestStep: (followsCalls ? live.bestCalls : live.best)?.step ?? null,
    teacherAnswers: live.teacherAnswers,
    nextCalls: live.nextCalls && { ...live.nextCalls, base: live.baseCalls },
    metrics: live.metrics,
    tokensPerSec: live.tokensPerSec,
    etaSec: isActive ? live.etaSec : null,
    peakRssMb: live.peakRssMb,
    peakVramMb: live.peakVramMb,
    estimateBytes: asked.estimateBytes,
    createdAt: isoOf(row.createdAt),
    startedAt: isoOf(row.startedAt),
    endedAt: isoOf(row.endedAt),
    trainSec: isAtWork ? live.workedMs / 1000 : live.trainSec,
    workingSince: isAtWork ? isoOf(live.sessionAt) : null,
    queuePosition: place.queuePosition,
    canResume: canResume(row.state, place.folder),
    error: row.error,
    health: row.health,
    warnings: place.isUnstored ? [...live.warnings, DISK_FULL_WARNING] : live.warnings,
    tags: row.tags,
    note: row.note,
    starred: row.starred,
    modelId: row.modelId,
    fromRun: asked.request.fromRun ?? null,
    matrix: asked.matrix ?? null,
    folder: place.folder,
    sizeBytes: row.sizeBytes,
    spark: live.spark.values,
  }
}

/** A run that stopped before its end resumes from a checkpoint, if there is one. */
const canResume = (state: RunState, folder: string): boolean =>
  state === 'paused' || ((state === 'failed' || state === 'cancelled') && newestCheckpoint(folder) !== null)

/** Step of the newest checkpoint that is whole: the state of the trainer is written into it last. */
export function newestCheckpoint(folder: string): number | null {
  let names: string[]
  try {
    names = fs.readdirSync(folder)
  } catch {
    return null
  }
  const steps = names.flatMap((name) => {
    const step = /^checkpoint-(\d+)$/.exec(name)?.[1]
    return step !== undefined && fs.existsSync(path.join(folder, name, 'trainer_state.json')) ? [Number(step)] : []
  })
  return steps.length > 0 ? Math.max(...steps) : null
}
