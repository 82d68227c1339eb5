import fs from 'node:fs'
import type { SystemInfo } from '#contracts/entities/system.ts'
import { createDocker } from '#server/adapters/docker/index.ts'
import { findDevices } from '#server/adapters/gpu/index.ts'
import type { Python } from '#server/adapters/python/index.ts'
import type { Config } from '#server/config.ts'

export type MachineParts = Pick<SystemInfo, 'gpus' | 'disk' | 'docker' | 'python'>

/** A driver or an engine can hang; what has no answer by then is not measured. */
const WAIT_MS = 1500
const FRESH_MS = 10_000

/** What the machine has besides processor and memory. Each part is asked for at most once in ten seconds. */
export function createMachineInfo(
  config: Pick<Config, 'path' | 'dataDir' | 'dockerHost'>,
  { python, now }: { python: Pick<Python, 'status'>; now: () => number },
): () => Promise<MachineParts> {
  const gpus = recent(now, async () => (await findDevices(config.path)).items.filter(({ kind }) => kind !== 'cpu'))
  const docker = recent(now, async () => {
    const { available, version, reason } = await createDocker({ host: config.dockerHost, dataDir: config.dataDir }).state()
    return { available, version, reason }
  })
  const interpreter = recent(now, async () => {
    const { state, python: program, version, problem } = await python.status({ imports: false })
    return { state, python: program, version, problem }
  })
  return async () => {
    const [gpuList, dockerState, pythonState] = await Promise.all([gpus(), docker(), interpreter()])
    return { gpus: gpuList, disk: diskOf(config.dataDir), docker: dockerState, python: pythonState }
  }
}

function recent<T>(now: () => number, ask: () => Promise<T>): () => Promise<T | null> {
  let asked: { at: number; answer: Promise<T | null> } | null = null
  return () => {
    if (asked === null || now() - asked.at > FRESH_MS) asked = { at: now(), answer: ask().catch(() => null) }
    return inTime(asked.answer)
  }
}

async function inTime<T>(answer: Promise<T | null>): Promise<T | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), WAIT_MS)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

export function diskOf(folder: string): SystemInfo['disk'] {
  try {
    const { blocks, bavail, bsize } = fs.statfsSync(folder)
    return { totalBytes: blocks * bsize, freeBytes: bavail * bsize }
  } catch {
    return null
  }
}
