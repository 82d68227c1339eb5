import fs from 'node:fs'
import path from 'node:path'
import { type Found, createReader, type Mark, placeOf, sameMark, statOf } from './found.ts'
import { endJournal, keptIn, readJournal, removeJournal, type Step, syncFolder } from './journal.ts'
import { makeFolders, readBytes, removeEmpty, removeFolder, writeNew } from './put.ts'

/**
 * Restores what an unfinished hand-back has changed, also after a crash or an interrupted rollback. Returns paths that have
 * neither the old nor the new content: those are not changed, and their old content is kept in the journal.
 */
export function rollBack(folder: string): string[] {
  const found = readJournal(folder)
  if (found === null || found.state !== 'begun') {
    if (found === null) removeJournal(folder)
    return []
  }
  const { root, steps, folders, made } = found.journal
  if (!fs.existsSync(root)) {
    endJournal(folder, 'left')
    return steps.map(({ path }) => path)
  }
  const modes = new Map(folders)
  for (const step of steps)
    for (const place of [placeOf(root, step.temporary), temporaryPlace(root, step)]) if (statOf(place)) fs.rmSync(place)
  const inOrder = steps.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const [removed, put] = [inOrder.filter(({ after }) => after === null), inOrder.filter(({ after }) => after !== null).toReversed()]
  const notRestored = [...put, ...removed].filter((step) => !putBack(root, step, keptIn(folder), modes)).map(({ path }) => path)
  for (const name of made.toSorted().toReversed()) removeFolder(placeOf(root, name))
  restoreFolders(root, folders)
  for (const place of new Set(steps.map(({ path: file }) => path.dirname(placeOf(root, file))))) if (fs.existsSync(place)) syncFolder(place)
  if (notRestored.length > 0) endJournal(folder, 'left')
  else removeJournal(folder)
  return notRestored
}

/** The temporary path of the restored file. */
const temporaryPlace = (root: string, { path: file, temporary }: Step): string =>
  path.join(path.dirname(placeOf(root, file)), path.posix.basename(temporary))

/** False if someone else has changed it. */
function putBack(root: string, step: Step, bytes: string, modes: ReadonlyMap<string, number>): boolean {
  const { path: file, before, after, kept } = step
  const found = createReader(root)(file)
  if (hasContent(found, before, after)) return true
  if (!hasContent(found, after, before)) return false
  const place = placeOf(root, file)
  if (before === null || kept === null) {
    fs.unlinkSync(place)
    return true
  }
  try {
    makeFolders(root, file, modes)
  } catch {
    return false // someone else has created a file with the name of its folder
  }
  if (found.kind === 'folder' && !removeEmpty(place)) return false
  const from = { file: bytes, at: kept.at, size: kept.size }
  const written = temporaryPlace(root, step)
  if (before.type === 'link') fs.symlinkSync(readBytes(from), written)
  else writeNew(written, from, kept.mode, statOf(place) ?? null)
  fs.renameSync(written, place)
  return true
}

/** Whether a path has this content. A folder counts as nothing if the other content is a file. */
const hasContent = (found: Found, mark: Mark | null, other: Mark | null): boolean =>
  found.kind === 'mark'
    ? sameMark(found.mark, mark)
    : mark === null && (found.kind === 'none' || (found.kind === 'folder' && other !== null))

/** Creates the folders that existed before, including empty ones. */
function restoreFolders(root: string, folders: readonly (readonly [string, number])[]): void {
  for (const [name, mode] of folders.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const place = placeOf(root, name)
    if (fs.existsSync(place) || statOf(place)) continue
    try {
      makeFolders(root, `${name}/file`, new Map([[name, mode]]))
    } catch {
      continue // someone else has created a file there
    }
  }
}
