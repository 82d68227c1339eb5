import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import writeFileAtomic from 'write-file-atomic'
import { AppError } from '#contracts/errors.ts'
import { birthOf, groupLives, isAlive, processes, type ProcessMark, signalGroup } from './processes.ts'
import type { Engine, EngineExit, EngineHandle } from './types.ts'

/** How long a trainer has to end by itself. */
const GRACE_MS = 800
/** A process that is not our child tells nobody of its end. */
const LOOK_MS = 200
const UNKNOWN: EngineExit = { code: null, signal: null }

/**
 * Trainers as processes of this machine: detached, each in its own group, standard output and error to the log. They
 * outlive us, and are known again by process id and birth.
 */
export function createLocalEngine(): Engine {
  /** Those that we started ourselves: only of them do we hear how they ended. */
  const children = new Map<string, Promise<EngineExit>>()

  return {
    name: 'local',
    problem: () => null,
    device: () => null,
    async start(job) {
      const log = fs.openSync(job.log, 'a', 0o600)
      try {
        const [program = '', ...args] = job.argv
        const child = spawn(program, args, { cwd: job.folder, env: { ...job.env }, detached: true, stdio: ['ignore', log, log] })
        const exit = new Promise<EngineExit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
        await new Promise<void>((resolve, reject) => {
          child.once('spawn', resolve)
          child.once('error', reject)
        })
        const pid = child.pid!
        const born = birthOf(pid) ?? 'gone'
        children.set(`${pid} ${born}`, exit)
        child.unref()
        return { pid, born }
      } catch (error) {
        throw new AppError('training_unavailable', {
          message: `The trainer could not be started: ${(error as Error).message}.`,
          hint: 'Settings → Training shows which Python is used.',
          cause: error,
        })
      } finally {
        fs.closeSync(log)
      }
    },
    async find({ folder }) {
      const config = path.join(folder, 'config.json')
      for (const { pid, argv } of processes()) {
        const born = argv.includes(config) ? birthOf(pid) : null
        if (born !== null) return { pid, born }
      }
      return null
    },
    status: async (handle) => (isAlive(markOf(handle)) ? 'running' : 'ended'),
    async attach(handle, _job, signal) {
      const mark = markOf(handle)
      const own = children.get(keyOf(mark))
      if (!own && !isAlive(mark)) return UNKNOWN // its number may long be another's: nothing is swept
      const ended = own ? await orAborted(own, signal) : await watched(mark, signal)
      children.delete(keyOf(mark))
      await sweep(mark)
      return ended
    },
    control: (_handle, { folder }, action) =>
      writeFileAtomic(path.join(folder, 'control.json'), `${JSON.stringify({ action })}\n`, { mode: 0o600 }),
    async kill(handle) {
      const mark = markOf(handle)
      if (!isAlive(mark)) return
      signalGroup(mark.pid, 'SIGTERM')
      const until = performance.now() + GRACE_MS
      while (isAlive(mark) && performance.now() < until) await sleep(20)
      await sweep(mark)
    },
  }
}

/** What is left of the group is ended by force. A group keeps its number from being given away while a member lives. */
async function sweep(mark: ProcessMark): Promise<void> {
  while (isAlive(mark) || (birthOf(mark.pid) === null && groupLives(mark.pid))) {
    signalGroup(mark.pid, 'SIGKILL')
    await sleep(20)
  }
}

async function watched(mark: ProcessMark, signal: AbortSignal): Promise<EngineExit> {
  while (isAlive(mark)) await sleep(LOOK_MS, undefined, { signal })
  return UNKNOWN
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    void promise.then(resolve).finally(() => signal.removeEventListener('abort', stop))
  })
}

const keyOf = ({ pid, born }: ProcessMark) => `${pid} ${born}`

function markOf(handle: EngineHandle): ProcessMark {
  const { pid, born } = handle
  if (typeof pid !== 'number' || typeof born !== 'string') throw new Error('This is no handle of a local process.')
  return { pid, born }
}
