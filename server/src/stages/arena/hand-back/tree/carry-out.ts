import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { type Found, lookerIn, placeOf, sameMark, statOf } from './found.ts'
import { beginJournal, type HandBackFacts, type Journal, keptIn, removeJournal, type Step, syncFolder } from './journal.ts'
import { ChangedMeanwhile, makeFolders, placeNew, readBytes, removeEmpty, removeEmptyAbove, writeNew } from './put.ts'
import { type Conflict, refusals, type Wanted } from './refusals.ts'
import { rollBack } from './roll-back.ts'

export interface Write extends Wanted {
  /** Where the bytes of `after` lie in the file of contents. */
  at: number
  size: number
  /** Exact permissions; null: as the file had them, or as its folder suggests. */
  mode: number | null
}

export interface CarryOut {
  /** Real path of the user's folder. */
  root: string
  /** Of the journal; there is none yet. Its parent is there. */
  folder: string
  contents: string
  writes: Write[]
  /** Folders that stay, or are made again with these permissions. */
  folderModes: [path: string, mode: number][]
  facts: HandBackFacts
}

const NOT_AS_SEEN = 'it was changed at this moment; try again'
const REASONS: ReadonlyMap<string, string> = new Map([
  ...['EEXIST', 'ENOENT', 'ENOTDIR', 'EISDIR'].map((code) => [code, NOT_AS_SEEN] as const),
  ...['EACCES', 'EPERM'].map((code) => [code, 'your user may not change it'] as const),
  ['EROFS', 'its disk can only be read'],
  ['ENAMETOOLONG', 'its name is too long for this disk'],
])

/**
 * Writes files of a change into the user's folder: all of them, or none. Everything is looked at first; then the journal gets
 * what was there; then new files are written beside, and only at the end take their places. It stays `begun` until its caller ends it.
 */
export function carryOut({ root, folder, contents, writes, folderModes, facts }: CarryOut): Conflict[] {
  const refused = refusals(root, writes)
  if (refused.length > 0) return refused
  fs.mkdirSync(folder, { mode: 0o700 })
  const kept = keep(root, folder, writes)
  if (kept.conflicts.length > 0) {
    removeJournal(folder)
    return kept.conflicts
  }
  const journal: Journal = { ...facts, root, steps: kept.steps, folders: foldersOf(root, writes), made: missingFolders(root, writes) }
  beginJournal(folder, journal)
  try {
    const withBytes = writes.map((write, index) => ({ ...write, ...kept.steps[index]!, seen: kept.seen[index]! }))
    for (const { after, temporary, at, size, mode, seen } of withBytes)
      if (after?.type === 'file') writeNew(placeOf(root, temporary), { file: contents, at, size }, mode, seen)
    const inOrder = withBytes.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    const [removed, put] = [inOrder.filter(({ after }) => after === null).toReversed(), inOrder.filter(({ after }) => after !== null)]
    for (const { path: file, seen } of removed) {
      requireSeen(root, file, seen)
      fs.unlinkSync(placeOf(root, file))
    }
    const modes = new Map(folderModes)
    for (const step of put) {
      makeFolders(root, step.path, modes)
      putOne(root, step, contents)
    }
    for (const { path: file } of removed) removeEmptyAbove(root, file, modes)
    for (const place of new Set(inOrder.map(({ path: file }) => path.dirname(placeOf(root, file)))))
      if (fs.existsSync(place)) syncFolder(place)
    return []
  } catch (error) {
    rollBack(folder)
    if (error instanceof ChangedMeanwhile) return [{ path: error.path, reason: NOT_AS_SEEN }]
    const { code, path: place } = error as NodeJS.ErrnoException
    const reason = REASONS.get(code ?? '')
    if (reason === undefined || place === undefined) throw error
    return [{ path: path.relative(root, place), reason }]
  }
}

/** Copies what is there to the journal, and finds out whether it is what was decided on. */
function keep(root: string, folder: string, writes: readonly Write[]) {
  const look = lookerIn(root)
  const mark = `.bashgym-${randomBytes(6).toString('hex')}`
  const out = fs.openSync(keptIn(folder), 'wx', 0o600)
  const steps: Step[] = []
  const seen: (fs.Stats | null)[] = []
  const conflicts: Conflict[] = []
  try {
    let end = 0
    for (const [index, write] of writes.entries()) {
      const from = end
      const place = placeOf(root, write.path)
      const stat = write.before === null ? null : (statOf(place) ?? null)
      const found = look(write.path, (piece) => {
        for (let done = 0; done < piece.length;) done += fs.writeSync(out, piece, done)
        end += piece.length
      })
      if (!isExpected(found, write)) conflicts.push({ path: write.path, reason: NOT_AS_SEEN })
      const nearest = nearestFolder(root, write.path)
      steps.push({
        path: write.path,
        before: write.before,
        after: write.after,
        kept: found.kind === 'mark' ? { at: from, size: end - from, mode: found.mode } : null,
        mode: write.mode ?? modeOf(root, nearest, found, write),
        temporary: path.posix.join(nearest, `${mark}-${index}`),
      })
      seen.push(stat)
    }
    fs.fsyncSync(out)
  } finally {
    fs.closeSync(out)
  }
  return { steps, seen, conflicts }
}

const isExpected = (found: Found, { before }: Wanted): boolean =>
  before === null ? found.kind === 'none' || found.kind === 'folder' : found.kind === 'mark' && sameMark(found.mark, before)

/** A file keeps its permissions but for the bits of execution; a new one is as readable as its folder. */
function modeOf(root: string, nearest: string, found: Found, { before, after }: Wanted): number {
  if (after?.type !== 'file') return 0
  const own = found.kind === 'mark' && before?.type === 'file' ? found.mode & 0o777 : null
  if (own !== null && before!.isExecutable === after.isExecutable) return own
  const base = own ?? (fs.statSync(placeOf(root, nearest)).mode & 0o666) | 0o600
  return after.isExecutable ? base | ((base & 0o444) >> 2) : base & ~0o111
}

function nearestFolder(root: string, file: string): string {
  let folder = path.posix.dirname(file)
  while (folder !== '.' && !statOf(placeOf(root, folder))?.isDirectory()) folder = path.posix.dirname(folder)
  return folder
}

interface Placed extends Write, Step {
  mode: number
  seen: fs.Stats | null
}

function putOne(root: string, step: Placed, contents: string): void {
  const place = placeOf(root, step.path)
  const temporary = placeOf(root, step.temporary)
  if (step.before === null && statOf(place)?.isDirectory() && !removeEmpty(place)) throw new ChangedMeanwhile(step.path)
  requireSeen(root, step.path, step.seen)
  const target = step.after!.type === 'link' ? readBytes({ file: contents, at: step.at, size: step.size }) : null
  if (target !== null) fs.symlinkSync(target, step.before === null ? place : temporary)
  if (step.before !== null) fs.renameSync(temporary, place)
  else if (target === null) placeNew(temporary, place)
}

/** Nothing has touched the path since it was looked at. */
function requireSeen(root: string, file: string, seen: fs.Stats | null): void {
  const place = placeOf(root, file)
  const stat = statOf(place)
  const isSame =
    seen === null
      ? stat === undefined
      : stat !== undefined && stat.ino === seen.ino && stat.ctimeMs === seen.ctimeMs && stat.size === seen.size
  if (!isSame || fs.realpathSync(path.dirname(place)) !== path.dirname(place)) throw new ChangedMeanwhile(file)
}

const above = (file: string): string[] => {
  const names = file.split('/').slice(0, -1)
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}

function foldersOf(root: string, writes: readonly Write[]): [string, number][] {
  return [...new Set(writes.flatMap(({ path }) => above(path)))].flatMap((folder): [string, number][] => {
    const stat = statOf(placeOf(root, folder))
    return stat?.isDirectory() ? [[folder, stat.mode & 0o7777]] : []
  })
}

const missingFolders = (root: string, writes: readonly Write[]): string[] =>
  [...new Set(writes.filter(({ after }) => after !== null).flatMap(({ path }) => above(path)))].filter(
    (folder) => !statOf(placeOf(root, folder))?.isDirectory(),
  )
