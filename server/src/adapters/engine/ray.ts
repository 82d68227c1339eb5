import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import { AppError } from '#contracts/errors.ts'
import { isLoopback } from '../tools/loopback.ts'
import { quoted } from '../tools/shell-words.ts'
import { hasEnded, rayApi, type RayPlace } from './ray-api.ts'
import type { Engine, EngineExit, EngineHandle } from './types.ts'

export interface RayOptions extends RayPlace {
  /** Interpreter on the cluster; empty for the same path as on this machine. */
  python: string
  gpus: number
}

const POLL_MS = 500
const SPEC = 'remote.json'
const EXIT = 'exit.json'
const OUT_OF_REACH = new AppError('training_unavailable', {
  message: 'Shell tasks cannot be trained on a Ray cluster on another machine: its workers cannot reach the sandboxes of this one.',
  hint: 'Train them on this machine, or on a cluster on this machine.',
})
const Exit = z.object({ code: z.number().nullable(), signal: z.string().nullable() })

/**
 * Runs trainers as jobs of a Ray cluster that has the data directory and the trainers at the same paths. The trainer writes
 * into the run's folder as usual; the cluster only starts and stops jobs and reports whether they run.
 */
export function createRayEngine(settings: () => RayOptions, driver: string): Engine {
  const api = () => rayApi(settings())
  const idOf = (handle: EngineHandle): string => {
    if (typeof handle['job'] !== 'string') throw new Error('This is not a handle of a Ray job.')
    return handle['job']
  }

  return {
    name: 'ray',
    problem({ usesSandboxes }) {
      try {
        api()
        return usesSandboxes && !isLoopback(new URL(settings().address).hostname) ? OUT_OF_REACH : null
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
        entrypoint: [interpreter, '-I', driver, spec].map(quoted).join(' '), // Ray accepts the command only as text
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
        if (error instanceof AppError) return 'running' // it may still run, so we keep waiting
        throw error
      }
    },
    async attach(handle, { folder, log }, signal) {
      const id = idOf(handle)
      for (;;) {
        signal.throwIfAborted()
        const job = await api()
          .get(id)
          .catch(() => undefined) // the cluster may be unreachable for a while; the job continues
        if (job === null) return readExit(folder) ?? { code: null, signal: null }
        if (job && hasEnded(job)) {
          const exit = readExit(folder)
          if (exit) return exit
          // The trainer never started; the cluster's log has the reason.
          const logText = await api()
            .logs(id)
            .catch(() => job.message ?? '')
          fs.appendFileSync(log, `${logText.trimEnd()}\n`, { mode: 0o600 })
          return { code: job.driver_exit_code ?? null, signal: null }
        }
        await sleep(POLL_MS, undefined, { signal })
      }
    },
    control: (_handle, { folder }, action) =>
      writeFileAtomic(path.join(folder, 'control.json'), `${JSON.stringify({ action })}\n`, { mode: 0o600 }),
    async kill(handle) {
      const id = idOf(handle)
      const client = api()
      for (let isStopRequested = false; ; isStopRequested = true) {
        const job = await client.get(id)
        if (job === null || hasEnded(job)) return
        if (!isStopRequested) await client.stop(id)
        await sleep(POLL_MS / 2)
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
