import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { type Found, createReader, placeOf, sameMark, statOf } from './found.ts'
import { beginJournal, type HandBackFacts, type Journal, keptIn, removeJournal, type Step, syncFolder } from './journal.ts'
import { ChangedMeanwhile, makeFolders, placeNew, readBytes, removeEmpty, removeEmptyAbove, writeNew } from './put.ts'
import { type Conflict, refusals, type Wanted } from './refusals.ts'
import { rollBack } from './roll-back.ts'

export interface Write extends Wanted {
  /** The position of the bytes of `after` in the file of contents. */
  at: number
  size: number
  /** Exact permissions; null: keeps those of the file, or derives them from the folder. */
  mode: number | null
}

export interface CarryOut {
  /** The real path of the user's folder. */
  root: string
  /** The folder for the journal, which does not exist yet; its parent exists. */
  folder: string
  contents: string
  writes: Write[]
  /** Folders that are kept, or created again with these permissions. */
  folderModes: [path: string, mode: number][]
  facts: HandBackFacts
}

const NOT_AS_SEEN = 'it was just changed; try again'
const REASONS: ReadonlyMap<string, string> = new Map([
  ...['EEXIST', 'ENOENT', 'ENOTDIR', 'EISDIR'].map((code) => [code, NOT_AS_SEEN] as const),
  ...['EACCES', 'EPERM'].map((code) => [code, 'your user may not change it'] as const),
  ['EROFS', 'its disk is read-only'],
  ['ENAMETOOLONG', 'its name is too long for this disk'],
])

/**
 * Writes files of a change into the user's folder: all of them, or none. First everything is checked; then the old content is
 * copied to the journal; then new files are written under temporary names, and renamed at the end. The caller ends the journal.
 */
export function carryOut({ root, folder, contents, writes, folderModes, facts }: CarryOut): Conflict[] {
  const refused = refusals(root, writes)
  if (refused.length > 0) return refused
  fs.mkdirSync(folder, { mode: 0o700 })
  const saved = saveCurrent(root, folder, writes)
  if (saved.conflicts.length > 0) {
    removeJournal(folder)
    return saved.conflicts
  }
  const journal: Journal = { ...facts, root, steps: saved.steps, folders: foldersOf(root, writes), made: missingFolders(root, writes) }
  beginJournal(folder, journal)
  try {
    const withBytes = writes.map((write, index) => ({ ...write, ...saved.steps[index]!, seen: saved.seen[index]! }))
    for (const { after, temporary, at, size, mode, seen } of withBytes)
      if (after?.type === 'file') writeNew(placeOf(root, temporary), { file: contents, at, size }, mode, seen)
    const inOrder = withBytes.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    const [removed, put] = [inOrder.filter(({ after }) => after === null).toReversed(), inOrder.filter(({ after }) => after !== null)]
    for (const { path: file, seen } of removed) {
      requireUnchanged(root, file, seen)
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

/** Copies the current content to the journal, and checks that it is still what the decision was based on. */
function saveCurrent(root: string, folder: string, writes: readonly Write[]) {
  const look = createReader(root)
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

/** A file keeps its permissions except the executable bits; a new file is as readable as its folder. */
function modeOf(root: string, nearest: string, found: Found, { before, after }: Wanted): number {
  if (after?.type !== 'file') return 0
  const current = found.kind === 'mark' && before?.type === 'file' ? found.mode & 0o777 : null
  if (current !== null && before!.isExecutable === after.isExecutable) return current
  const base = current ?? (fs.statSync(placeOf(root, nearest)).mode & 0o666) | 0o600
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
  requireUnchanged(root, step.path, step.seen)
  const target = step.after!.type === 'link' ? readBytes({ file: contents, at: step.at, size: step.size }) : null
  if (target !== null) fs.symlinkSync(target, step.before === null ? place : temporary)
  if (step.before !== null) fs.renameSync(temporary, place)
  else if (target === null) placeNew(temporary, place)
}

/** Throws if the path was changed since it was checked. */
function requireUnchanged(root: string, file: string, seen: fs.Stats | null): void {
  const place = placeOf(root, file)
  const stat = statOf(place)
  const isSame =
    seen === null
      ? stat === undefined
      : stat !== undefined && stat.ino === seen.ino && stat.ctimeMs === seen.ctimeMs && stat.size === seen.size
  if (!isSame || fs.realpathSync(path.dirname(place)) !== path.dirname(place)) throw new ChangedMeanwhile(file)
}

const parentFolders = (file: string): string[] => {
  const names = file.split('/').slice(0, -1)
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}

function foldersOf(root: string, writes: readonly Write[]): [string, number][] {
  return [...new Set(writes.flatMap(({ path }) => parentFolders(path)))].flatMap((folder): [string, number][] => {
    const stat = statOf(placeOf(root, folder))
    return stat?.isDirectory() ? [[folder, stat.mode & 0o7777]] : []
  })
}

const missingFolders = (root: string, writes: readonly Write[]): string[] =>
  [...new Set(writes.filter(({ after }) => after !== null).flatMap(({ path }) => parentFolders(path)))].filter(
    (folder) => !statOf(placeOf(root, folder))?.isDirectory(),
  )
