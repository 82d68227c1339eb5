import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import { AppError } from '#contracts/errors.ts'
import { quoted } from '../tools/shell-words.ts'
import { hasEnded, rayApi, type RayPlace } from './ray-api.ts'
import type { Engine, EngineExit, EngineHandle } from './types.ts'

export interface RayOptions extends RayPlace {
  /** Interpreter on the cluster; empty: the same path as here. */
  python: string
  gpus: number
}

const LOOK_MS = 500
const SPEC = 'remote.json'
const EXIT = 'exit.json'
const Exit = z.object({ code: z.number().nullable(), signal: z.string().nullable() })

/**
 * Trainers as jobs of a Ray cluster that sees the data directory and the trainers under the same paths. What the trainer
 * writes is in the run's folder as usual; the cluster is asked only to start, to stop and whether it still runs.
 */
export function createRayEngine(settings: () => RayOptions, driver: string): Engine {
  const api = () => rayApi(settings())
  const idOf = (handle: EngineHandle): string => {
    if (typeof handle['job'] !== 'string') throw new Error('This is no handle of a job on Ray.')
    return handle['job']
  }

  return {
    name: 'ray',
    problem() {
      try {
        api()
        return null
      } catch (error) {
        if (error instanceof AppError) return error
        throw error
      }
    },
    device() {
      const { gpus } = settings()
      return { kind: gpus > 0 ? 'cuda' : 'cpu', name: gpus > 0 ? `${gpus} GPU of the Ray cluster` : 'a CPU of the Ray cluster', totalBytes: null, freeBytes: null, cores: null } // prettier-ignore
    },
    async start(job) {
      const { python, gpus } = settings()
      const [program = '', ...args] = job.argv
      const interpreter = python || program
      const spec = path.join(job.folder, SPEC)
      const id = `bashgym-${job.runId}-${randomUUID().slice(0, 8)}`
      const client = api()
      fs.rmSync(path.join(job.folder, EXIT), { force: true })
      const jobSpec = { argv: [interpreter, ...args], env: job.env, folder: job.folder, log: job.log }
      await writeFileAtomic(spec, `${JSON.stringify(jobSpec)}\n`, { mode: 0o600 })
      await client.submit({
        submission_id: id,
        entrypoint: [interpreter, '-I', driver, spec].map(quoted).join(' '), // the one thing that Ray takes as text
        metadata: { runId: job.runId },
        ...(gpus > 0 ? { entrypoint_num_gpus: gpus } : {}),
      })
      return { job: id }
    },
    async find({ runId }) {
      const found = (await api().list()).find((job) => job.metadata?.['runId'] === runId && !hasEnded(job))
      return found?.submission_id ? { job: found.submission_id } : null
    },
    async status(handle) {
      try {
        const job = await api().get(idOf(handle))
        return job === null || hasEnded(job) ? 'ended' : 'running'
      } catch (error) {
        if (error instanceof AppError) return 'running' // not known to have ended: it is waited for
        throw error
      }
    },
    async attach(handle, { folder, log }, signal) {
      const id = idOf(handle)
      for (;;) {
        signal.throwIfAborted()
        const job = await api()
          .get(id)
          .catch(() => undefined) // the cluster is unreachable for a while; the job continues
        if (job === null) return readExit(folder) ?? { code: null, signal: null }
        if (job && hasEnded(job)) {
          const exit = readExit(folder)
          if (exit) return exit
          // the trainer never started; the cluster's own log has the reason
          const logText = await api()
            .logs(id)
            .catch(() => job.message ?? '')
          fs.appendFileSync(log, `${logText.trimEnd()}\n`, { mode: 0o600 })
          return { code: job.driver_exit_code ?? null, signal: null }
        }
        await sleep(LOOK_MS, undefined, { signal })
      }
    },
    control: (_handle, { folder }, action) =>
      writeFileAtomic(path.join(folder, 'control.json'), `${JSON.stringify({ action })}\n`, { mode: 0o600 }),
    async kill(handle) {
      const id = idOf(handle)
      const client = api()
      for (let asked = false; ; asked = true) {
        const job = await client.get(id)
        if (job === null || hasEnded(job)) return
        if (!asked) await client.stop(id)
        await sleep(LOOK_MS / 2)
      }
    },
  }
}

function readExit(folder: string): EngineExit | null {
  try {
    return Exit.parse(JSON.parse(fs.readFileSync(path.join(folder, EXIT), 'utf8')))
  } catch {
    return null
  }
}
