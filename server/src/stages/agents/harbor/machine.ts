import type { SandboxBackendState } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import { contextOf } from '#server/adapters/harbor/context.ts'
import { listedName, readDockerfile } from '#server/adapters/docker/dockerfile.ts'
import type { HarborTask } from '#server/adapters/harbor/read.ts'
import { HOST_PLACE, IMAGE_ENGINE, type Place } from '#server/stages/sandboxes/index.ts'

export interface Refusal {
  message: string
  hint: string | null
}

/** Where a task runs. `isBuilt`: its image exists, or none is needed. */
export type TaskMachine = { place: Place; isBuilt: boolean } | { refusal: Refusal }

/** Nothing is downloaded: the images that the task starts from must be on this machine. */
export async function machineOf({ environment, ...task }: HarborTask, backends: readonly SandboxBackendState[]): Promise<TaskMachine> {
  const engine = (name: Place['backend']) => backends.find((one) => one.name === name)!
  if (environment === null) {
    const { available, reason } = engine(HOST_PLACE.backend)
    return available ? { place: HOST_PLACE, isBuilt: true } : refused(`bubblewrap cannot be used here: ${reason ?? 'it was not found.'}`)
  }
  if (environment.kind === 'compose')
    return refused('This task needs several containers (docker-compose.yaml), but a run has only one.', 'Give the task a Dockerfile.')
  const { available, reason, images } = engine(IMAGE_ENGINE)
  if (!available)
    return refused(
      `This task has an image, which only Docker can run, and Docker cannot be used here: ${reason ?? 'it was not found.'}`,
      'A task without an image and Dockerfile runs under bubblewrap.',
    )
  const isAvailable = (image: string) => images.includes(listedName(image))
  if (environment.kind === 'image') {
    const image = listedName(environment.value)
    return isAvailable(image) ? { place: { backend: IMAGE_ENGINE, image }, isBuilt: true } : missing(environment.value)
  }
  const context = await contextOf(task).catch((error: unknown) => {
    if (error instanceof AppError) return error
    throw error
  })
  if (context instanceof AppError) return refused(context.message)
  const { image, folder } = context
  const place: Place = { backend: IMAGE_ENGINE, image }
  if (isAvailable(image)) return { place, isBuilt: true }
  const sources = readDockerfile(environment.value)
  if (sources.problem !== null) return refused(`Its Dockerfile cannot be built here. ${sources.problem}`, buildHint(image, folder))
  const missingImage = sources.images.find((one) => !isAvailable(one))
  return missingImage === undefined ? { place, isBuilt: false } : missing(missingImage)
}

/** A hint to build the image manually, with network access. */
export const buildHint = (image: string, folder: string) => `Build it yourself: docker build -t ${image} ${folder}`

const refused = (message: string, hint: string | null = null): TaskMachine => ({ refusal: { message, hint } })
const missing = (image: string) =>
  refused(
    `This task starts from the image ${image}, which is not on this machine. Images are never downloaded automatically.`,
    `Get it with: docker pull ${image}`,
  )
