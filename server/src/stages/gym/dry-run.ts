import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import type { Job } from '#contracts/entities/job.ts'
import type { RunRequest } from '#contracts/entities/run.ts'
import type { TrainerEvent } from '#contracts/trainer.ts'
import type { Engine } from '#server/adapters/engine/types.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { CopyRows } from './copy-rows.ts'
import type { GymDeps, TrainerPython } from './deps.ts'
import { copyPathsIn, type RunFolders, tailOf } from './folder.ts'
import { parseEvent } from './ingest.ts'
import { configOf, environmentOf } from './plan/config.ts'
import type { Planned } from './plan/plan.ts'
import { visibleGpus } from './visible-gpus.ts'

/** Measurements of two optimiser steps on the longest rows. `isWorstCase` is false for shell tasks, whose later episodes may get longer. */
export interface DryRunResult {
  stepSec: number | null
  peakRssMb: number | null
  peakVramMb: number | null
  longest: number | null
  isWorstCase: boolean
}

const PREFIX = '.dry-'

/** Ends dry runs that outlived a killed server, and removes their folders. */
export async function sweepDryRuns(folders: RunFolders, engine: Engine): Promise<void> {
  if (!fs.existsSync(folders.root)) return
  for (const name of fs.readdirSync(folders.root).filter((one) => one.startsWith(PREFIX))) {
    const handle = await engine.find({ runId: name, folder: folders.of(name) })
    if (handle) await engine.kill(handle)
    folders.remove(name)
  }
}

export interface DryRunDeps {
  jobs: Core['jobs']
  folders: RunFolders
  engine: Engine
  plan: (request: RunRequest, signal: AbortSignal) => Promise<Planned>
  python: GymDeps['python']
  devices: GymDeps['devices']
  sandbox: GymDeps['sandbox']
  command: (program: string, config: string) => string[]
  copyRows: CopyRows
  writeEnvironment: (folder: string) => Promise<void>
  /** For tests. */
  limitMs?: number
}

/** Starts the job of a dry run. Throws `run_refused`, but not for too little memory, which the dry run measures. */
export const createDryRuns =
  (deps: DryRunDeps) =>
  async (request: RunRequest, signal: AbortSignal): Promise<Job> => {
    const planned = await deps.plan(request, signal)
    const { notes, device, settings } = planned.plan
    const refusal = notes.find(({ level, code }) => level === 'refusal' && code !== 'memory')
    if (refusal) throw new AppError('run_refused', { message: refusal.message, ...(refusal.hint !== null && { hint: refusal.hint }) })
    const { program, env } = await deps.python()
    const gpu = await visibleGpus(device.kind, settings.processes, deps.devices)
    const python = { program, env: { ...env, ...gpu } }
    return deps.jobs.start('dry-run', (context) => dryRun(deps, { request, planned, python }, context), { single: true })
  }

/** Runs the trainer in a folder that is removed afterwards. Throws `run_refused` with the trainer's error. */
async function dryRun(
  { folders, engine, sandbox, command, copyRows, writeEnvironment, limitMs = LIMIT_MS }: DryRunDeps,
  { request, planned, python }: { request: RunRequest; planned: Planned; python: TrainerPython },
  { signal, progress, id }: JobContext,
): Promise<DryRunResult> {
  const { plan: { settings, device }, materials, isCopied } = planned // prettier-ignore
  const name = `${PREFIX}${id}`
  const folder = folders.of(name)
  const log = path.join(folder, 'training.log')
  const files = isCopied ? copyPathsIn(folder, materials.files) : materials.files
  const environment = environmentOf(materials, folder)
  const config = configOf({ runId: `dry-${id}`, request, settings, materials: { ...materials, files }, output: folder, device: device.kind, environment, sandbox: sandbox() }) // prettier-ignore
  const file = path.join(folder, 'events.jsonl')
  const stopReports = reportSteps(file, environment === null, progress)
  try {
    await folders.make(name, { ...config, dryRun: true, loggingSteps: 1 })
    if (isCopied) await copyRows(materials, files, request, settings)
    if (environment !== null) await writeEnvironment(folder)
    const job = { runId: name, folder, log, argv: command(python.program, folders.config(name)), env: python.env }
    const handle = await engine.start(job)
    const kill = () => void engine.kill(handle)
    signal.addEventListener('abort', kill, { once: true })
    const isTooSlow = { is: false }
    const limit = setTimeout(() => {
      isTooSlow.is = true
      kill()
    }, limitMs)
    const exit = await engine.attach(handle, job, new AbortController().signal).finally(() => clearTimeout(limit))
    signal.throwIfAborted()
    const events = eventsIn(file)
    if (isTooSlow.is) throw tooSlow(events, limitMs)
    const failure = events.find((event) => event.type === 'failed')
    const completion = events.find((event) => event.type === 'complete')
    if (!completion) {
      const failureMessage = failure?.message ?? `The trainer exited with ${exit.signal ?? `exit code ${exit.code}`}.`
      throw new AppError('run_refused', {
        message: failureMessage,
        details: { code: failure?.code ?? 'ended', row: failure?.row ?? null, logTail: tailOf(log) },
      })
    }
    const [first, second] = events.filter((event) => event.type === 'progress' && 'loss' in event.metrics)
    const plan = events.find((event) => event.type === 'plan')
    return {
      stepSec: first && second ? (Date.parse(second.at) - Date.parse(first.at)) / 1000 : null,
      peakRssMb: completion.peakMb.rss,
      peakVramMb: completion.peakMb.vram,
      longest: plan?.longest ?? null,
      isWorstCase: environment === null,
    }
  } finally {
    stopReports()
    folders.remove(name)
  }
}

/** A dry run that takes longer is stopped: its steps are too slow to train. */
const LIMIT_MS = 10 * 60_000
const REPORT_MS = 500
const STEPS = 2

/** Reports the step that the trainer is at, or what it does before the first one. Returns the function that stops it. */
function reportSteps(file: string, isOfRows: boolean, progress: JobContext['progress']): () => void {
  const report = () => {
    const events = eventsIn(file)
    const done = Math.min(STEPS, Math.max(0, ...events.map((event) => (event.type === 'progress' ? event.step : 0))))
    const phase = events.findLast((event) => event.type === 'phase')?.phase
    const isBefore = done === 0 && (phase === undefined || phase === 'loading' || phase === 'tokenising')
    const words = isBefore ? 'Loading the model and the rows' : isOfRows ? 'Trying the two longest rows' : 'Trying two steps'
    progress({ phase: words, done, total: isBefore ? null : STEPS, unit: 'steps' })
  }
  report()
  const timer = setInterval(report, REPORT_MS)
  return () => clearInterval(timer)
}

function tooSlow(events: readonly TrainerEvent[], limitMs: number): AppError {
  const steps = events.filter((event) => event.type === 'progress' && 'loss' in event.metrics).length
  return new AppError('run_refused', {
    message: `The dry run was stopped after ${limitMs / 60_000} minutes, with ${steps} of ${STEPS} steps done.`,
    hint: 'Choose a smaller model, a shorter max length or a smaller batch size.',
  })
}

function eventsIn(file: string): TrainerEvent[] {
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : []
  return lines.flatMap((line) => parseEvent(line) ?? []) // the last line may be incomplete
}
