import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { HarborTask } from './read.ts'

/** What the image of a task is built from: a folder, and which of its names go in. */
export interface BuildContext {
  folder: string
  isWanted: (name: string) => boolean
  /** The same for the same files, so that an image is built once. */
  image: string
}

/** Beside the environment of terminal-bench 1, which has no folder of its own; the agent must see none of these. */
const NOT_OF_ENVIRONMENT = new Set(['tests', 'run-tests.sh', 'solution.sh', 'solution.yaml', 'task.yaml'])

export function contextOf({ folder, format }: Pick<HarborTask, 'folder' | 'format'>): BuildContext {
  const top = format === 'harbor' ? path.join(folder, 'environment') : folder
  const isWanted = (name: string) => format === 'harbor' || !NOT_OF_ENVIRONMENT.has(name.split('/')[0]!)
  return { folder: top, isWanted, image: `bashgym-harbor:${digestOf(top, isWanted)}` }
}

function digestOf(folder: string, isWanted: (name: string) => boolean): string {
  const digest = createHash('sha256')
  const names = fs.readdirSync(folder, { recursive: true }).map(String).filter(isWanted).toSorted()
  for (const name of names) {
    const place = path.join(folder, name)
    const stat = fs.lstatSync(place)
    const content = stat.isSymbolicLink() ? fs.readlinkSync(place) : stat.isFile() ? fs.readFileSync(place) : ''
    digest.update(`${JSON.stringify([name, stat.mode & 0o777, content.length])}\n`).update(content)
  }
  return digest.digest('hex').slice(0, 16)
}
