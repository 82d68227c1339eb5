import { createHash } from 'node:crypto'
import path from 'node:path'
import { type ForeignEntry, inForeign } from '#server/foreign/index.ts'
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

export async function contextOf({ folder, format }: Pick<HarborTask, 'folder' | 'format'>): Promise<BuildContext> {
  const top = format === 'harbor' ? path.join(folder, 'environment') : folder
  const isIncluded = (name: string) => format === 'harbor' || !NOT_IN_ENVIRONMENT.has(name.split('/')[0]!)
  return { folder: top, isIncluded, image: `bashgym-harbor:${await digestOf(top, isIncluded)}` }
}

/** No more than is packed for a build. */
const [MAX_FILES, MAX_BYTES] = [200_000, 2 * 1024 ** 3]

/** Links count with their target's name, never with its content. */
function digestOf(top: string, isIncluded: (name: string) => boolean): Promise<string> {
  return inForeign(top, async (folder) => {
    const entries: ForeignEntry[] = []
    for await (const entry of folder.walk('', isIncluded)) {
      if (isIncluded(entry.name)) entries.push(entry)
      if (entries.length > MAX_FILES) throw new Error(`${top} has more than ${MAX_FILES} files.`)
    }
    const digest = createHash('sha256')
    let bytes = 0
    for (const { name, kind } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const found = await folder.find(name)
      const target = kind === 'link' ? await folder.readLink(name) : ''
      const size = kind === 'file' ? (found?.size ?? 0) : target.length
      if ((bytes += size) > MAX_BYTES) throw new Error(`${top} has more than ${MAX_BYTES / 1024 ** 3} GB.`)
      digest.update(`${JSON.stringify([name, (found?.mode ?? 0) & 0o777, size])}\n`).update(target)
      if (kind === 'file') for await (const chunk of await folder.stream(name)) digest.update(chunk as Buffer)
    }
    return digest.digest('hex').slice(0, 16)
  })
}
