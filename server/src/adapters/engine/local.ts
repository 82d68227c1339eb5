import path from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { AppError } from '#contracts/errors.ts'
import { attachProcess } from '#server/process/attach.ts'
import { birthOf, descendantsOf, isAlive, processes, type ProcessMark } from '#server/process/marks.ts'
import { type AttachedProcess, startProcess } from '#server/process/start.ts'
import type { Engine, EngineHandle } from './types.ts'

/** A trainer that does not end within this time is killed. */
const GRACE_MS = 800

/** Runs trainers as processes of this machine that outlive us; a mark identifies them after a restart. */
export function createLocalEngine(): Engine {
  /** Processes that we started; only for these the exit code is known. */
  const children = new Map<string, AttachedProcess>()
  const processOf = (handle: EngineHandle, signal?: AbortSignal): AttachedProcess => {
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
          message: `Couldn't start the trainer: ${(error as Error).message}.`,
          hint: 'Settings → Training shows which Python is used.',
          cause: error,
        })
      }
    },
    async find({ folder }) {
      const config = path.join(folder, 'config.json')
      const pids = [...processes()].flatMap(({ pid, argv }) => (argv.includes(config) ? [pid] : []))
      const descendants = new Set(pids.flatMap(descendantsOf)) // the first process of a run is the one that is not a descendant of another
      for (const pid of pids.filter((one) => !descendants.has(one))) {
        const born = birthOf(pid)
        if (born !== null) return { pid, born }
      }
      return null
    },
    status: async (handle) => (isAlive(markOf(handle)) ? 'running' : 'ended'),
    async attach(handle, _job, signal) {
      const { code, signal: endedBy } = await orAborted(processOf(handle, signal).exit, signal)
      children.delete(keyOf(markOf(handle)))
      return { code, signal: endedBy }
    },
    control: (_handle, { folder }, action) =>
      writeFileAtomic(path.join(folder, 'control.json'), `${JSON.stringify({ action })}\n`, { mode: 0o600 }),
    async kill(handle) {
      await processOf(handle).end()
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
  if (typeof pid !== 'number' || typeof born !== 'string') throw new Error('This is not a handle of a local process.')
  return { pid, born }
}
