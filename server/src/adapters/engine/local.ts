import path from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { AppError } from '#contracts/errors.ts'
import { attachProcess } from '#server/process/attach.ts'
import { birthOf, descendantsOf, isAlive, processes, type ProcessMark } from '#server/process/marks.ts'
import { type AttachedProcess, startProcess } from '#server/process/start.ts'
import type { Engine, EngineHandle } from './types.ts'

/** How long a trainer has to end by itself. */
const GRACE_MS = 800

/** Trainers as processes of this machine, their output in the log. They outlive us, and are known again by their mark. */
export function createLocalEngine(): Engine {
  /** Those that we started ourselves: only of them is it known how they ended. */
  const children = new Map<string, AttachedProcess>()
  const attached = (handle: EngineHandle, signal?: AbortSignal): AttachedProcess => {
    const mark = markOf(handle)
    return children.get(keyOf(mark)) ?? attachProcess(mark, { graceMs: GRACE_MS, ...(signal && { signal }) })
  }

  return {
    name: 'local',
    problem: () => null,
    device: () => null,
    async start({ argv: [command = '', ...args], folder, env, log }) {
      try {
        const child = await startProcess({ command, args, cwd: folder, env, output: { file: log }, deadlineMs: null, graceMs: GRACE_MS })
        const mark = { pid: child.pid, born: child.born }
        children.set(keyOf(mark), child)
        return mark
      } catch (error) {
        throw new AppError('training_unavailable', {
          message: `The trainer could not be started: ${(error as Error).message}.`,
          hint: 'Settings → Training shows which Python is used.',
          cause: error,
        })
      }
    },
    async find({ folder }) {
      const config = path.join(folder, 'config.json')
      const pids = [...processes()].flatMap(({ pid, argv }) => (argv.includes(config) ? [pid] : []))
      const started = new Set(pids.flatMap(descendantsOf)) // several processes of one run are found by the one that leads
      for (const pid of pids.filter((one) => !started.has(one))) {
        const born = birthOf(pid)
        if (born !== null) return { pid, born }
      }
      return null
    },
    status: async (handle) => (isAlive(markOf(handle)) ? 'running' : 'ended'),
    async attach(handle, _job, signal) {
      const { code, signal: endedBy } = await orAborted(attached(handle, signal).exit, signal)
      children.delete(keyOf(markOf(handle)))
      return { code, signal: endedBy }
    },
    control: (_handle, { folder }, action) =>
      writeFileAtomic(path.join(folder, 'control.json'), `${JSON.stringify({ action })}\n`, { mode: 0o600 }),
    async kill(handle) {
      await attached(handle).end()
    },
  }
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

const keyOf = ({ pid, born }: ProcessMark) => `${pid} ${born}`

function markOf(handle: EngineHandle): ProcessMark {
  const { pid, born } = handle
  if (typeof pid !== 'number' || typeof born !== 'string') throw new Error('This is no handle of a local process.')
  return { pid, born }
}
