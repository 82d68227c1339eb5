import fs from 'node:fs'
import path from 'node:path'
import { implement, type Implementation } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import * as routes from '#contracts/routes/training.ts'
import { probeTool } from '#server/adapters/tools/probe.ts'
import { createPython, type InstallProgress, type Python } from '#server/adapters/python/index.ts'
import type { Core } from '#server/core.ts'
import type { Progress } from '#server/jobs/jobs.ts'

export const ENVIRONMENT_JOB = 'training-environment'

export interface EnvironmentDeps {
  /** Setting `training.python`. */
  setting: () => string
  /** Names of the runs that use the interpreter now. */
  running: () => readonly string[]
}

/** Routes that show, install, repair and remove the Python environment for training. */
export function createTrainingEnvironment(
  core: Pick<Core, 'config' | 'paths' | 'jobs' | 'now'>,
  deps: EnvironmentDeps,
): { python: Python; routes: Implementation[] } {
  const { config, paths, jobs } = core
  const logFile = path.join(paths.logs, 'environment.log')
  const python = createPython({
    ...config,
    named: config.python,
    setting: deps.setting,
    folder: paths.env,
    log: logFile,
    now: core.now,
  })
  const refuseWhileUsed = async (what: string) => {
    const names = deps.running()
    if (names.length === 0 || !(await python.isOwn())) return
    throw new AppError('run_state', { message: `The environment is in use by ${names.join(', ')}, so it was not ${what}.`, hint: 'Wait for it to finish, or pause or cancel it.' }) // prettier-ignore
  }
  return {
    python,
    routes: [
      implement(routes.getTrainingEnvironment, ({ query }) => python.status({ fresh: query.fresh })),
      implement(routes.installTrainingEnvironment, async ({ body }) => {
        await refuseWhileUsed('changed')
        const build = body.build === 'auto' ? ((await hasGpu(config.programs)) ? 'cuda' : 'cpu') : body.build
        return jobs.start(
          ENVIRONMENT_JOB,
          ({ signal, progress }) => python.install({ repair: body.repair, build }, (value) => progress(toProgress(value)), signal),
          { single: true },
        )
      }),
      implement(routes.getTrainingEnvironmentLog, () => ({ file: logFile, text: endOf(logFile) })),
      implement(routes.removeTrainingEnvironment, async () => {
        await refuseWhileUsed('removed')
        return python.remove()
      }),
    ],
  }
}

const MAX_LOG_BYTES = 64 * 1024

function endOf(file: string): string {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return ''
  const fd = fs.openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(Math.min(size, MAX_LOG_BYTES))
    const text = bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, bytes.length, size - bytes.length))
    return size > MAX_LOG_BYTES ? text.slice(text.indexOf('\n') + 1) : text.trimStart()
  } finally {
    fs.closeSync(fd)
  }
}

const hasGpu = async (env: Record<string, string>) => (await probeTool('nvidia-smi', ['--list-gpus'], env)).found

const PHASE: Record<InstallProgress['step'], string> = {
  python: 'creating the environment',
  installer: 'downloading the installer',
  torch: 'PyTorch',
  packages: 'libraries',
  converter: 'GGUF converter',
  check: 'checking it',
}

function toProgress({ step, done, total, pip }: InstallProgress): Progress {
  const base = { phase: PHASE[step], done, total, unit: 'steps' }
  if (!pip) return base
  if (pip.phase === 'installing') return { ...base, message: `writing ${pip.packages} packages` }
  const bytes = pip.bytesTotal === null ? '' : `, ${mb(pip.bytesDone ?? 0)} of ${mb(pip.bytesTotal)} MB`
  return { ...base, message: `${pip.current ?? 'packages'}${bytes}; ${pip.packages} checked, ${mb(pip.fetched)} MB downloaded` }
}

const mb = (bytes: number) => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)
