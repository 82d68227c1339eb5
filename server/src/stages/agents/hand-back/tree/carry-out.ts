import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { ForeignFileError, type ForeignFolder, inJudged } from '#server/foreign/index.ts'
import { atOnce } from './at-once.ts'
import { type Found, lookAt, parentFolders, sameMark, type Stat, withoutRemoved } from './found.ts'
import { beginJournal, type HandBackFacts, type Journal, keptIn, removeJournal, type Step } from './journal.ts'
import { ChangedMeanwhile, makeFolders, readBytes, removeEmpty, removeEmptyAbove, syncFolders, writeNew } from './put.ts'
import { type Conflict, refusals, type Wanted } from './refusals.ts'
import { rollBackIn } from './roll-back.ts'

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

/**
 * Writes files of a change into the user's folder: all of them, or none. First everything is checked; then the old content is
 * copied to the journal; then new files are written under temporary names, and renamed at the end. The caller ends the journal.
 */
export async function carryOut(input: CarryOut): Promise<Conflict[]> {
  try {
    return await inJudged(input.root, (root) => carryOutIn(root, input))
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    return [{ path: error.file, reason: reasonOf(error) }] // changed while everything was checked
  }
}

async function carryOutIn(root: ForeignFolder, { folder, contents, writes, folderModes, facts }: CarryOut): Promise<Conflict[]> {
  const refused = await refusals(root, writes)
  if (refused.length > 0) return refused
  const parents = await foldersOf(root, writes)
  fs.mkdirSync(folder, { mode: 0o700 })
  const saved = await saveCurrent(root, folder, writes, parents)
  if (saved.conflicts.length > 0) {
    removeJournal(folder)
    return saved.conflicts
  }
  const folders = Array.from(parents, ([name, found]): [string, number][] => (found === null ? [] : [[name, found.mode]])).flat()
  const needed = new Set(writes.flatMap(({ path: file, after }) => (after === null ? [] : parentFolders(file))))
  const made = [...needed].filter((name) => !parents.get(name))
  const journal: Journal = { ...facts, root: root.root, steps: saved.steps, folders, made }
  beginJournal(folder, journal)
  const steps = writes.map((write, index): Placed => ({ ...write, ...saved.steps[index]!, seen: saved.seen[index]! }))
  let current = ''
  try {
    await atOnce(steps, async ({ path: file, after, temporary, at, size, mode, seen }) => {
      if (after?.type !== 'file') return
      await writeNew(root, temporary, { file: contents, at, size }, mode, seen).catch((error: unknown) => {
        current = file
        throw error
      })
    })
    const inOrder = steps.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    const removed = inOrder.filter(({ after }) => after === null).toReversed()
    for (const { path: file, seen } of removed) {
      current = file
      await requireUnchanged(root, file, seen)
      await root.remove(file)
    }
    const modes = new Map(folderModes)
    for (const step of inOrder) {
      if (step.after === null) continue
      current = step.path
      await makeFolders(root, step.path, modes)
      await putOne(root, step, contents)
    }
    for (const { path: file } of removed) await removeEmptyAbove(root, file, modes)
    await syncFolders(root, steps)
    await requireInPlace(root, parents, steps)
    return []
  } catch (error) {
    await rollBackIn(root, folder) // its path may lead elsewhere by now
    if (error instanceof ChangedMeanwhile) return [{ path: error.path, reason: NOT_AS_SEEN }]
    if (!(error instanceof ForeignFileError)) throw error
    return [{ path: current, reason: reasonOf(error) }]
  }
}

function reasonOf({ code }: ForeignFileError): string {
  if (code === 'denied') return 'your user may not change it'
  return code === 'name' ? 'its name is too long for this disk' : NOT_AS_SEEN
}

/** Copies the current content to the journal, and checks that it is still what the decision was based on. */
async function saveCurrent(root: ForeignFolder, folder: string, writes: readonly Write[], parents: ReadonlyMap<string, Stat | null>) {
  const mark = `.bashgym-${randomBytes(6).toString('hex')}`
  const top = await root.find('')
  const out = fs.openSync(keptIn(folder), 'wx', 0o600)
  const steps: Step[] = []
  const seen: (Stat | null)[] = []
  const conflicts: Conflict[] = []
  const removed = new Set(writes.flatMap(({ path: file, after }) => (after === null ? [file] : [])))
  try {
    let end = 0
    for (const [index, write] of writes.entries()) {
      const from = end
      const { found, stat } = await lookAt(root, write.path, (piece) => {
        for (let done = 0; done < piece.length;) done += fs.writeSync(out, piece, done)
        end += piece.length
      })
      if (!isExpected(withoutRemoved(found, removed), write)) conflicts.push({ path: write.path, reason: NOT_AS_SEEN })
      const nearest = parentFolders(write.path).findLast((name) => parents.get(name)) ?? ''
      const folderMode = (nearest === '' ? top : parents.get(nearest))?.mode ?? 0o755
      steps.push({
        path: write.path,
        before: write.before,
        after: write.after,
        kept: found.kind === 'mark' ? { at: from, size: end - from, mode: found.mode } : null,
        mode: write.mode ?? modeOf(folderMode, found, write),
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
function modeOf(folderMode: number, found: Found, { before, after }: Wanted): number {
  if (after?.type !== 'file') return 0
  const current = found.kind === 'mark' && before?.type === 'file' ? found.mode & 0o777 : null
  if (current !== null && before!.isExecutable === after.isExecutable) return current
  const base = current ?? (folderMode & 0o666) | 0o600
  return after.isExecutable ? base | ((base & 0o444) >> 2) : base & ~0o111
}

interface Placed extends Write, Step {
  mode: number
  seen: Stat | null
}

async function putOne(root: ForeignFolder, step: Placed, contents: string): Promise<void> {
  const { path: file, temporary, before } = step
  if (before === null && (await root.find(file))?.kind === 'folder' && !(await removeEmpty(root, file))) throw new ChangedMeanwhile(file)
  await requireUnchanged(root, file, step.seen)
  const target = step.after!.type === 'link' ? await readBytes({ file: contents, at: step.at, size: step.size }) : null
  if (target !== null) await root.makeLink(before === null ? file : temporary, target)
  if (before !== null) await root.rename(temporary, file)
  else if (target === null) await root.renameNew(temporary, file)
}

/** Throws if the path was changed since it was checked. */
async function requireUnchanged(root: ForeignFolder, file: string, seen: Stat | null): Promise<void> {
  const stat = await root.find(file)
  const isSame = seen === null ? stat === null : stat !== null && isSameFile(stat, seen) && stat.ctimeMs === seen.ctimeMs && stat.size === seen.size // prettier-ignore
  if (!isSame) throw new ChangedMeanwhile(file)
}

const isSameFile = (one: Stat, other: Stat): boolean => one.ino === other.ino && one.kind === other.kind

/** Throws if a folder that was written to is no longer at its path: then the files in it are not, either. */
function requireInPlace(root: ForeignFolder, parents: ReadonlyMap<string, Stat | null>, steps: readonly Placed[]): Promise<void> {
  return inJudged(root.root, async (now) => {
    const written = steps.filter(({ after }) => after !== null).map(({ path: file }) => path.posix.dirname(file))
    for (const parent of new Set(written)) {
      const seen = parents.get(parent)
      const stat = seen ? await now.find(parent) : null
      if (seen && (stat === null || !isSameFile(stat, seen))) throw new ChangedMeanwhile(parent)
    }
  })
}

/** The parent folders of all paths; null where there is none yet. */
async function foldersOf(root: ForeignFolder, writes: readonly Write[]): Promise<Map<string, Stat | null>> {
  const found = new Map<string, Stat | null>()
  for (const name of new Set(writes.flatMap(({ path: file }) => parentFolders(file)))) {
    const stat = await root.find(name)
    found.set(name, stat?.kind === 'folder' ? stat : null)
  }
  return found
}
