import fs from 'node:fs'
import path from 'node:path'
import { isoOf } from '#server/instant.ts'
import type { MatrixValues } from '#contracts/entities/matrix-values.ts'
import type { Run, RunHealth, RunRequest, RunState } from '#contracts/entities/run.ts'
import { TrainPhase, type TrainSettings, type TrainStrategy } from '#contracts/trainer.ts'
import type { EngineHandle } from '#server/adapters/engine/types.ts'
import type { RequestedAction } from '#server/runs/types.ts'
import type { Live } from './live.ts'

/** What a run was started with: the request, its resolved settings and paths. */
export interface RunSetup {
  request: RunRequest
  settings: TrainSettings
  baseModelPath: string
  teacherPath: string | null
  repos: string[]
  files: { train: string; val: string | null }
  estimateBytes: number | null
  /** Names, sizes and times of the base model's files at the start. */
  modelStamp: string
  /** Absent in runs of earlier versions. */
  device?: 'cpu' | 'cuda'
  /** The matrix that the run belongs to, and its values there. Absent if the run was started alone. */
  matrix?: { id: string; values: MatrixValues }
}

export type RunError = NonNullable<Run['error']>

/** A row of the table `runs`, with its JSON parsed. */
export interface RunRow {
  no: number
  id: string
  name: string
  state: RunState
  strategy: TrainStrategy
  baseModel: string
  datasetId: string | null
  datasetName: string | null
  setup: RunSetup
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

/** Added when a run is read: while the disk is full, the warning itself could not be stored. */
const DISK_FULL_WARNING = {
  code: 'disk_full',
  message: "The disk is full, so this run's progress cannot be saved. Free up disk space; it is then read from the run's files.",
}

/** Settings of runs that were stored before these settings existed. */
const missingSettings = ({ maxCompletion }: TrainSettings) => ({
  nextCalls: 0,
  bestBy: 'loss' as const,
  teacherTokens: maxCompletion,
  objective: 'dapo' as const, // their own loss, clipping, scaling and ratio are stored and replace its values
})

/** The run in the form of the contract. `queuePosition` counts from 1. */
export function toRun(row: RunRow, place: { folder: string; queuePosition: number | null; isUnstored: boolean }): Run {
  const { setup, live } = row
  const isActive = ACTIVE.has(row.state)
  const followsCalls = setup.settings.bestBy === 'next_call' && live.nextCalls?.reason === null
  const isStepping = isActive && live.phase !== null && live.outcome === null
  return {
    id: row.id,
    no: row.no,
    name: row.name,
    state: row.state,
    phase: isActive ? (TrainPhase.safeParse(live.phase).data ?? null) : null,
    strategy: row.strategy,
    baseModel: row.baseModel,
    baseModelPath: setup.baseModelPath,
    teacher: setup.request.teacher ?? null,
    datasetId: row.datasetId,
    datasetName: row.datasetName,
    repos: setup.repos,
    method: setup.settings.method,
    preset: setup.request.preset,
    settings: { ...missingSettings(setup.settings), ...setup.settings },
    request: setup.request,
    engine: setup.request.engine,
    device: live.device,
    rows: live.rows,
    fileRows: live.fileRows,
    unusedRows: live.unused,
    seenRows: seenRows(live),
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
    estimateBytes: setup.estimateBytes,
    createdAt: isoOf(row.createdAt),
    startedAt: isoOf(row.startedAt),
    endedAt: isoOf(row.endedAt),
    trainSec: isStepping ? live.workedMs / 1000 : live.trainSec,
    workingSince: isStepping ? isoOf(live.sessionAt) : null,
    queuePosition: place.queuePosition,
    canResume: canResume(row.state, place.folder),
    error: row.error,
    health: row.health,
    warnings: place.isUnstored ? [...live.warnings, DISK_FULL_WARNING] : live.warnings,
    tags: row.tags,
    note: row.note,
    starred: row.starred,
    modelId: row.modelId,
    fromRun: setup.request.fromRun ?? null,
    matrix: setup.matrix ?? null,
    folder: place.folder,
    sizeBytes: row.sizeBytes,
    spark: live.spark.values,
  }
}

/** Rows to train on that the steps so far have reached. */
const seenRows = ({ rows, epoch }: Live): number | null => (rows === null || epoch === null ? null : Math.round(rows * Math.min(1, epoch)))

const canResume = (state: RunState, folder: string): boolean =>
  state === 'paused' || ((state === 'failed' || state === 'cancelled') && newestCheckpoint(folder) !== null)

/** Step of the newest complete checkpoint. The trainer writes `trainer_state.json` last. */
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
