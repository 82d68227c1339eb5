import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { type TrainerConfig, TrainerEvent } from '#contracts/trainer.ts'
import type { Engine, EngineJob } from '#server/adapters/engine/types.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { type RunFolders, tailOf } from './folder.ts'

/** Two optimiser steps on the longest rows, as measured. */
export interface DryRunResult {
  stepSec: number | null
  peakRssMb: number | null
  peakVramMb: number | null
  longest: number | null
}

const PREFIX = '.dry-'

/** Folders that a dry run left behind when we were killed; their trainers end with them. */
export async function sweepDryRuns(folders: RunFolders, engine: Engine): Promise<void> {
  if (!fs.existsSync(folders.root)) return
  for (const name of fs.readdirSync(folders.root).filter((one) => one.startsWith(PREFIX))) {
    const handle = await engine.find({ runId: name, folder: folders.of(name) })
    if (handle) await engine.kill(handle)
    folders.remove(name)
  }
}

/** Runs the trainer in a folder of its own, which goes again. Throws `run_refused` with what the trainer said. */
export async function dryRun(
  parts: {
    folders: RunFolders
    engine: Engine
    command: (config: string) => Promise<Pick<EngineJob, 'argv' | 'env'>>
    /** Makes copies of the rows in the folder, where they are written for other programs. */
    rows: (folder: string) => Promise<TrainerConfig['data']>
    /** Of shell tasks: says in the folder where they are tried. */
    environment: (folder: string) => Promise<TrainerConfig['environment']>
  },
  config: TrainerConfig,
  { signal, progress, id }: JobContext,
): Promise<DryRunResult> {
  const { folders, engine } = parts
  const name = `${PREFIX}${id}`
  const folder = folders.of(name)
  const log = path.join(folder, 'training.log')
  progress({ phase: 'two steps on the longest rows', done: 0, total: 1, unit: 'runs' })
  try {
    const made = { ...config, output: folder }
    await folders.make(name, made) // the folder that rows are copied to
    const data = await parts.rows(folder)
    const environment = await parts.environment(folder)
    await folders.make(name, { ...made, data, environment, runId: `dry-${id}`, dryRun: true, loggingSteps: 1 })
    const job = { runId: name, folder, log, ...(await parts.command(folders.config(name))) }
    const handle = await engine.start(job)
    const kill = () => void engine.kill(handle)
    signal.addEventListener('abort', kill, { once: true })
    const exit = await engine.attach(handle, job, new AbortController().signal)
    signal.throwIfAborted()
    const events = eventsIn(path.join(folder, 'events.jsonl'))
    const failed = events.find((event) => event.type === 'failed')
    const end = events.find((event) => event.type === 'complete')
    if (!end) {
      const failureMessage = failed?.message ?? `The trainer exited with ${exit.signal ?? `exit code ${exit.code}`}.`
      throw new AppError('run_refused', {
        message: failureMessage,
        details: { code: failed?.code ?? 'ended', row: failed?.row ?? null, logTail: tailOf(log) },
      })
    }
    const [first, second] = events.filter((event) => event.type === 'progress' && 'loss' in event.metrics)
    const plan = events.find((event) => event.type === 'plan')
    return {
      stepSec: first && second ? (Date.parse(second.at) - Date.parse(first.at)) / 1000 : null,
      peakRssMb: end.peakMb.rss,
      peakVramMb: end.peakMb.vram,
      longest: plan?.longest ?? null,
    }
  } finally {
    folders.remove(name)
  }
}

function eventsIn(file: string): TrainerEvent[] {
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : []
  return lines.flatMap((line) => {
    try {
      return TrainerEvent.safeParse(JSON.parse(line)).data ?? []
    } catch {
      return [] // torn, or the empty end
    }
  })
}
