import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
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

export function contextOf({ folder, format }: Pick<HarborTask, 'folder' | 'format'>): BuildContext {
  const top = format === 'harbor' ? path.join(folder, 'environment') : folder
  const isIncluded = (name: string) => format === 'harbor' || !NOT_IN_ENVIRONMENT.has(name.split('/')[0]!)
  return { folder: top, isIncluded, image: `bashgym-harbor:${digestOf(top, isIncluded)}` }
}

function digestOf(folder: string, isIncluded: (name: string) => boolean): string {
  const digest = createHash('sha256')
  const names = fs.readdirSync(folder, { recursive: true }).map(String).filter(isIncluded).toSorted()
  for (const name of names) {
    const place = path.join(folder, name)
    const stat = fs.lstatSync(place)
    const content = stat.isSymbolicLink() ? fs.readlinkSync(place) : stat.isFile() ? fs.readFileSync(place) : ''
    digest.update(`${JSON.stringify([name, stat.mode & 0o777, content.length])}\n`).update(content)
  }
  return digest.digest('hex').slice(0, 16)
}
