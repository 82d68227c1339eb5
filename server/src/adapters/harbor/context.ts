import { createHash } from 'node:crypto'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { ForeignFileError, type ForeignFolder, inForeign } from '#server/foreign/index.ts'
import type { HarborTask } from './read.ts'

/** The folder from which the image of a task is built, and which of its files are used. */
export interface BuildContext {
  folder: string
  isIncluded: (name: string) => boolean
  /** The image's name, which depends only on the files, so that an image is built once. */
  image: string
}

/** In terminal-bench 1 these are in the same folder as the environment, but the agent must not see them. */
const NOT_IN_ENVIRONMENT = new Set(['tests', 'run-tests.sh', 'solution.sh', 'solution.yaml', 'task.yaml'])
const MAX_BYTES = 2 * 1024 ** 3

/** Throws `invalid_request` if a file cannot be read. */
export async function contextOf({ folder, format }: Pick<HarborTask, 'folder' | 'format'>): Promise<BuildContext> {
  const top = format === 'harbor' ? path.join(folder, 'environment') : folder
  const isIncluded = (name: string) => format === 'harbor' || !NOT_IN_ENVIRONMENT.has(name.split('/')[0]!)
  try {
    return { folder: top, isIncluded, image: `bashgym-harbor:${await inForeign(top, (place) => digestOf(place, isIncluded))}` }
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    throw new AppError('invalid_request', { message: `The image of the task can't be built from ${top}: ${error.message}.` })
  }
}

async function digestOf(place: ForeignFolder, isIncluded: (name: string) => boolean): Promise<string> {
  const digest = createHash('sha256')
  const names = (await Array.fromAsync(place.walk('', isIncluded), ({ name }) => name)).filter(isIncluded).toSorted()
  let bytes = 0
  for (const name of names) {
    const found = await place.find(name)
    if (found === null) continue // removed in the meantime
    const target = found.kind === 'link' ? await place.readLink(name) : ''
    const size = found.kind === 'file' ? found.size : target.length
    bytes += size
    if (bytes > MAX_BYTES) throw new ForeignFileError(name, 'too_large', `makes it larger than ${MAX_BYTES / 1024 ** 3} GB`)
    digest.update(`${JSON.stringify([name, found.mode & 0o777, size])}\n`).update(target)
    if (found.kind === 'file') for await (const chunk of await place.stream(name)) digest.update(chunk as Buffer)
  }
  return digest.digest('hex').slice(0, 16)
}
