import os from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { keepCompiledCode } from './code-cache.ts'
import { freezePrototypes } from './freeze.ts'

/** The second argument of a job module's default export. */
export interface JobContext {
  signal: AbortSignal
  progress: (value: unknown) => void
}

export interface MovingContext extends JobContext {
  /** Add buffers of the returned value here to move them to the other thread instead of copying them. */
  transfer: ArrayBuffer[]
}

export interface ThreadData {
  /** How much lower the priority of the thread is, in steps of `nice`. */
  niceBy: number
}

type JobModule = { default: (input: unknown, context: MovingContext) => unknown }

keepCompiledCode()
freezePrototypes()
lowerPriority((workerData as ThreadData).niceBy)
const port = parentPort!
const aborts = new Map<number, AbortController>()

port.on('message', async (message: { id: number; job: string; input: unknown; abort?: boolean }) => {
  if (message.abort) return aborts.get(message.id)?.abort()
  const controller = new AbortController()
  aborts.set(message.id, controller)
  try {
    const { default: job } = (await import(message.job)) as JobModule
    const transfer: ArrayBuffer[] = []
    const value = await job(message.input, {
      signal: controller.signal,
      progress: (progress) => port.postMessage({ id: message.id, progress }),
      transfer,
    })
    port.postMessage({ id: message.id, ok: true, value }, transfer)
  } catch (error) {
    port.postMessage({ id: message.id, ok: false, error: error instanceof Error ? toPlainError(error) : new Error(String(error)) })
  } finally {
    aborts.delete(message.id)
  }
})

/** Only on Linux, where each thread has a priority; elsewhere it would affect the whole process. */
function lowerPriority(by: number): void {
  if (process.platform === 'linux') os.setPriority(Math.min(19, os.getPriority() + by))
}

/** Errors cross threads as plain errors, with a code (ENOSPC, archive_damaged) in their cause. */
function toPlainError(error: Error): Error {
  const copy = new Error(error.message)
  copy.name = error.name
  if (error.stack) copy.stack = error.stack
  const code = error.name === 'ForeignFileError' ? 'path_refused' : (error as { code?: unknown }).code
  return Object.assign(copy, typeof code === 'string' ? { cause: { code } } : {})
}
