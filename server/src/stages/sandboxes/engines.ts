import type { SandboxSpec } from '#contracts/entities/sandbox.ts'
import { AppError, type ErrorCode } from '#contracts/errors.ts'
import type { Backend } from '#server/adapters/sandbox/backends.ts'
import { EngineLost, type MachineLimits, type MachineSpec, NotRun } from '#server/adapters/sandbox/index.ts'
import { isDiskFull } from '#server/disk.ts'

type RequestedEngine = Pick<SandboxSpec, 'backend' | 'image'>

/** The named engine, or the first of `backends` that is available and has the image. Whether it can be used is checked when the sandbox starts. */
export async function chooseBackend(backends: readonly Backend[], { backend, image }: RequestedEngine): Promise<Backend> {
  const named = backends.find(({ name }) => name === backend)
  if (named) return named
  const states = await Promise.all(backends.map((one) => one.state()))
  const withImage = states.findIndex(({ images }) => images.includes(image))
  const firstAvailable = states.findIndex(({ available }) => available)
  return backends[Math.max(withImage >= 0 ? withImage : firstAvailable, 0)]!
}

/** Throws `backend_unavailable` or `image_unavailable`: images are never downloaded automatically. */
export async function requireImage(backend: Backend, image: string): Promise<void> {
  const { available, reason, images, name } = await backend.state()
  if (!available)
    throw new AppError('backend_unavailable', { message: `The sandbox engine ${name} cannot be used: ${reason ?? 'it was not found.'}` })
  if (images.includes(image)) return
  throw new AppError('image_unavailable', {
    message: `The sandbox engine ${name} has no image "${image}".`,
    hint: `Available: ${images.join(', ') || 'none'}. Images are never downloaded automatically.`,
  })
}

const MB = 1024 * 1024

export const limitsOf = (limits: SandboxSpec['limits']): MachineLimits => ({
  memoryBytes: limits.memoryMb * MB,
  cpus: limits.cpus,
  processes: limits.pids,
  diskBytes: limits.diskMb * MB,
  openFiles: limits.nofile,
  fileBytes: limits.fileMb * MB,
})

export const machineSpec = (
  id: string,
  { image, profile, workdir, env, labels, network, limits }: SandboxSpec,
  { readOnly, endpoints, leftAs }: Pick<MachineSpec, 'readOnly' | 'endpoints' | 'leftAs'>,
): MachineSpec => ({
  id,
  readOnly: readOnly ?? [],
  endpoints: endpoints ?? [],
  leftAs: leftAs ?? null,
  image,
  profile,
  workdir,
  env,
  labels,
  network:
    typeof network === 'string'
      ? network
      : {
          allow: network.allow.map((address) => {
            const colon = address.lastIndexOf(':')
            return { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) }
          }),
        },
  limits: limitsOf(limits),
})

export const engineLost = (name: string, cause?: Error) =>
  new AppError('session_lost', { message: `The sandbox engine ${name} no longer answers, so the sandbox was stopped.`, cause })

/** The refusal of an engine as an `AppError`; any other error is a failure of the engine. */
export function engineError(error: unknown, refused: ErrorCode = 'isolation_unavailable'): AppError {
  if (error instanceof AppError) return error
  const { message } = error as Error
  if (error instanceof EngineLost) return new AppError('backend_unavailable', { message, cause: error })
  if (error instanceof NotRun) return new AppError(error.code === 'isolation_unavailable' ? error.code : refused, { message, cause: error })
  if (isDiskFull(error))
    return new AppError('disk_full', { message: `The disk that holds the files of sandboxes is full (${message}). Free up space and try again.`, cause: error }) // prettier-ignore
  return new AppError('engine_failed', { message: `The sandbox engine failed: ${message}`, cause: error })
}
