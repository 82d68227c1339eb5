import fs from 'node:fs'
import path from 'node:path'
import { type Mark, placeOf, statOf } from './found.ts'

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

/** Code points that macOS file systems ignore in names. */
const IGNORED_IN_NAMES = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** Why a path must not be written to the user's folder, or null. Paths come from an agent, so they are not trusted. */
export function whyNotName(file: string): string | null {
  const names = file.split('/')
  if (file === '' || file.includes('\0') || names.some((name) => name === '' || name === '.' || name === '..'))
    return 'it is not a valid file name'
  if (file.includes('\ufffd')) return 'its name is not UTF-8'
  const isGit = (name: string) =>
    /^(?:\.git|git~1)$/.test(
      name
        .replace(IGNORED_IN_NAMES, '')
        .toLowerCase()
        .replace(/[. ]+$/, ''),
    )
  return names.some(isGit) ? 'git stores its own files under this name' : null
}

/** Finds everything that prevents the change, before anything is changed. */
export function refusals(root: string, wanted: readonly Wanted[]): Conflict[] {
  const removed = new Set(wanted.filter(({ after }) => after === null).map(({ path }) => path))
  const names = namesIn(root)
  const caseDuplicates = isCaseBlind(root) ? sameButForCase(wanted) : new Set<string>()
  return wanted.flatMap(({ path: file, after }) => {
    const reason =
      whyNotName(file) ??
      whyNotFolder(root, file, removed, names) ??
      (after === null ? null : whyNotFree(root, file, removed, names)) ??
      (caseDuplicates.has(file) ? 'on this disk its name is the same as that of another file of the change' : null)
    return reason === null ? [] : [{ path: file, reason }]
  })
}

type NamesIn = (folder: string) => ReadonlySet<string>

function namesIn(root: string): NamesIn {
  const known = new Map<string, ReadonlySet<string>>()
  return (folder) => {
    const names = known.get(folder) ?? new Set(fs.readdirSync(placeOf(root, folder)))
    known.set(folder, names)
    return names
  }
}

/** Why a path cannot get its parent folders; null if they are real folders or can be created. */
function whyNotFolder(root: string, file: string, removed: ReadonlySet<string>, names: NamesIn): string | null {
  const parts = file.split('/').slice(0, -1)
  let last = '.'
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const folder = parts.slice(0, depth).join('/')
    const stat = statOf(placeOf(root, folder))
    if (stat === undefined || removed.has(folder)) break
    if (stat.isSymbolicLink()) return `its folder ${folder} is a symbolic link`
    if (!stat.isDirectory()) return `its folder ${folder} is a file in your repository`
    if (!isNamed(names, folder)) return `your repository has its folder ${folder} with a different spelling`
    last = folder
  }
  try {
    fs.accessSync(placeOf(root, last), fs.constants.W_OK | fs.constants.X_OK)
    return null
  } catch {
    return last === '.'
      ? 'your user has no permission to write to the folder'
      : `your user has no permission to write to the folder ${last}`
  }
}

function whyNotFree(root: string, file: string, removed: ReadonlySet<string>, names: NamesIn): string | null {
  const stat = statOf(placeOf(root, file))
  if (stat === undefined) return null
  if (!isNamed(names, file)) return 'your repository has this name with a different spelling'
  if (stat.isDirectory()) {
    const inTheWay = firstKept(root, file, removed)
    return inTheWay === null ? null : `your repository has a folder there, with ${inTheWay} in it`
  }
  const isOwn = process.geteuid === undefined || process.geteuid() === 0 || stat.uid === process.geteuid()
  return isOwn ? null : 'it belongs to another user'
}

/** The first file of a folder that is not removed by the change. */
function firstKept(root: string, folder: string, removed: ReadonlySet<string>): string | null {
  for (const entry of fs.readdirSync(placeOf(root, folder), { withFileTypes: true })) {
    const file = `${folder}/${entry.name}`
    const kept = entry.isDirectory() ? firstKept(root, file, removed) : removed.has(file) ? null : file
    if (kept !== null) return kept
  }
  return null
}

/** False if the disk has it under another name, for example with different case. */
const isNamed = (names: NamesIn, file: string): boolean => names(path.posix.dirname(file)).has(path.posix.basename(file))

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
