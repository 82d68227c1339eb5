import type { SandboxBackendState } from '#contracts/entities/sandbox.ts'
import { contextOf } from '#server/adapters/harbor/context.ts'
import { listedName, sourcesOf } from '#server/adapters/harbor/dockerfile.ts'
import type { HarborTask } from '#server/adapters/harbor/read.ts'
import { HERE, type Place } from '../../sandboxes/place.ts'

export interface Refusal {
  message: string
  hint: string | null
}

/** Where a task is run; `isBuilt`: its image is there already, or needs no build. */
export type TaskMachine = { place: Place; isBuilt: boolean } | { refusal: Refusal }

/** Nothing is downloaded for it: images that it begins from have to be there. */
export function machineOf({ environment, ...task }: HarborTask, backends: readonly SandboxBackendState[]): TaskMachine {
  const engine = (name: Place['backend']) => backends.find((one) => one.name === name)!
  if (environment === null) {
    const { available, reason } = engine('bubblewrap')
    return available ? { place: HERE, isBuilt: true } : refused(`bubblewrap cannot be used here: ${reason ?? 'it is not there.'}`)
  }
  if (environment.kind === 'compose')
    return refused('This task works in several containers (docker-compose.yaml), and a run has one.', 'Give it a Dockerfile.')
  const { available, reason, images } = engine('docker')
  if (!available)
    return refused(
      `This task brings an image, which only Docker can run, and Docker cannot be used here: ${reason ?? 'it is not there.'}`,
      'A task without an image and Dockerfile runs under bubblewrap.',
    )
  const isThere = (image: string) => images.includes(listedName(image))
  if (environment.kind === 'image') {
    const image = listedName(environment.value)
    return isThere(image) ? { place: { backend: 'docker', image }, isBuilt: true } : missing(environment.value)
  }
  const { image, folder } = contextOf(task)
  const place: Place = { backend: 'docker', image }
  if (isThere(image)) return { place, isBuilt: true }
  const sources = sourcesOf(environment.value)
  if (sources.problem !== null) return refused(`Its Dockerfile is not built here. ${sources.problem}`, buildIt(image, folder))
  const absent = sources.images.find((one) => !isThere(one))
  return absent === undefined ? { place, isBuilt: false } : missing(absent)
}

/** The command to build it by hand, with a network. */
export const buildIt = (image: string, folder: string) => `Build it yourself, then it is used: docker build -t ${image} ${folder}`

const refused = (message: string, hint: string | null = null): TaskMachine => ({ refusal: { message, hint } })
const missing = (image: string) =>
  refused(
    `This task begins from the image ${image}, which is not here, and nothing is downloaded by itself.`,
    `Get it with: docker pull ${image}`,
  )
