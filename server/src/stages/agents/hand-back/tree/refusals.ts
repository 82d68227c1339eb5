import fs from 'node:fs'
import path from 'node:path'
import type { ForeignFolder } from '#server/foreign/index.ts'
import { type Mark, parentFolders, type Stat } from './found.ts'
import { whyNotName } from './names.ts'

export interface Conflict {
  path: string
  reason: string
}

/** The new content of a path; null if it is removed. */
export interface Wanted {
  path: string
  before: Mark | null
  after: Mark | null
}

/** Finds everything that prevents the change, before anything is changed. */
export async function refusals(root: ForeignFolder, wanted: readonly Wanted[]): Promise<Conflict[]> {
  const removed = new Set(wanted.filter(({ after }) => after === null).map(({ path }) => path))
  const known = createKnown(root)
  const caseDuplicates = isCaseBlind(root.root) ? sameButForCase(wanted) : new Set<string>()
  const conflicts: Conflict[] = []
  for (const { path: file, after } of wanted) {
    const reason =
      whyNotName(file) ??
      (await whyNotFolder(known, file, removed)) ??
      (after === null ? null : await whyNotFree(root, known, file, removed)) ??
      (caseDuplicates.has(file) ? 'on this disk its name is the same as that of another file of the change' : null)
    if (reason !== null) conflicts.push({ path: file, reason })
  }
  return conflicts
}

/** Folders of the user, each asked about once. '' is the root. */
interface Known {
  find: (folder: string) => Promise<Stat | null>
  isWritable: (folder: string) => Promise<boolean>
  names: (folder: string) => Promise<ReadonlySet<string>>
}

const createKnown = (root: ForeignFolder): Known => ({
  find: once((folder) => root.find(folder)),
  isWritable: once((folder) => root.isWritable(folder)),
  names: once(async (folder) => new Set((await root.list(folder)).map(({ name }) => path.posix.basename(name)))),
})

function once<T>(ask: (folder: string) => Promise<T>): (folder: string) => Promise<T> {
  const answers = new Map<string, Promise<T>>()
  return (folder) => {
    const answer = answers.get(folder) ?? ask(folder)
    answers.set(folder, answer)
    return answer
  }
}

/** Why a path cannot get its parent folders; null if they are real folders or can be created. */
async function whyNotFolder(known: Known, file: string, removed: ReadonlySet<string>): Promise<string | null> {
  let last = ''
  for (const folder of parentFolders(file)) {
    const found = await known.find(folder)
    if (found === null || removed.has(folder)) break
    if (found.kind === 'link') return `its folder ${folder} is a symbolic link`
    if (found.kind !== 'folder') return `its folder ${folder} is a file in your repository`
    if (!(await isNamed(known, folder))) return `your repository has its folder ${folder} with a different spelling`
    last = folder
  }
  if (await known.isWritable(last)) return null
  return last === '' ? 'your user has no permission to write to the folder' : `your user has no permission to write to the folder ${last}`
}

async function whyNotFree(root: ForeignFolder, known: Known, file: string, removed: ReadonlySet<string>): Promise<string | null> {
  const found = await root.find(file)
  if (found === null) return null
  if (!(await isNamed(known, file))) return 'your repository has this name with a different spelling'
  if (found.kind === 'folder') {
    const inTheWay = await firstKept(root, file, removed)
    return inTheWay === null ? null : `your repository has a folder there, with ${inTheWay} in it`
  }
  const isOwn = process.geteuid === undefined || process.geteuid() === 0 || found.uid === process.geteuid()
  return isOwn ? null : 'it belongs to another user'
}

/** The first file of a folder that is not removed by the change. */
async function firstKept(root: ForeignFolder, folder: string, removed: ReadonlySet<string>): Promise<string | null> {
  for await (const { name, kind } of root.walk(folder)) if (kind !== 'folder' && !removed.has(name)) return name
  return null
}

/** False if the disk has it under another name, for example with different case. */
async function isNamed(known: Known, file: string): Promise<boolean> {
  const folder = path.posix.dirname(file)
  return (await known.names(folder === '.' ? '' : folder)).has(path.posix.basename(file))
}

function isCaseBlind(root: string): boolean {
  const swapped = Array.from(path.basename(root), (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('')
  if (swapped === path.basename(root)) return process.platform !== 'linux'
  const [own, other] = [fs.statSync(root), fs.statSync(path.join(path.dirname(root), swapped), { throwIfNoEntry: false })]
  return other?.ino === own.ino && other.dev === own.dev
}

function sameButForCase(wanted: readonly Wanted[]): Set<string> {
  const groups = Map.groupBy(
    wanted.filter(({ after }) => after !== null),
    ({ path }) => path.normalize('NFC').toLowerCase(),
  )
  return new Set([...groups.values()].filter((group) => group.length > 1).flatMap((group) => group.map(({ path }) => path)))
}
