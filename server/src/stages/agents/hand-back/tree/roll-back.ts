import path from 'node:path'
import { ForeignFileError, type ForeignFolder, inJudged } from '#server/foreign/index.ts'
import { type Found, lookAt, type Mark, sameMark, withoutRemoved } from './found.ts'
import { endJournal, type Journal, keptIn, readJournal, removeJournal, type Step } from './journal.ts'
import { makeFolders, readBytes, removeEmpty, removeFolder, syncFolders, writeNew } from './put.ts'

/**
 * Restores what an unfinished hand-back has changed, also after a crash or an interrupted rollback. Returns paths that have
 * neither the old nor the new content: those are not changed, and their old content is kept in the journal.
 */
export const rollBack = (folder: string): Promise<string[]> =>
  unfinished(folder, (journal) => inJudged(journal.root, (root) => restore(root, folder, journal)))

/** Like `rollBack`, in the folder that was written to. */
export const rollBackIn = (root: ForeignFolder, folder: string): Promise<string[]> =>
  unfinished(folder, (journal) => restore(root, folder, journal))

async function unfinished(folder: string, work: (journal: Journal) => Promise<string[]>): Promise<string[]> {
  const found = readJournal(folder)
  if (found === null || found.state !== 'begun') {
    if (found === null) removeJournal(folder)
    return []
  }
  const notRestored = await work(found.journal)
  if (notRestored.length > 0) endJournal(folder, 'left')
  else removeJournal(folder)
  return notRestored
}

async function restore(root: ForeignFolder, folder: string, { steps, folders, made }: Journal): Promise<string[]> {
  if ((await root.find('')) === null) return steps.map(({ path: file }) => file)
  const modes = new Map(folders)
  for (const step of steps) for (const name of [step.temporary, temporaryBeside(step)]) await removeIfOurs(root, name)
  const inOrder = steps.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const [removed, put] = [inOrder.filter(({ after }) => after === null), inOrder.filter(({ after }) => after !== null).toReversed()]
  const notRestored: string[] = []
  const gone = new Set(removed.map(({ path: file }) => file))
  for (const step of [...put, ...removed])
    if (!(await unlessChanged(putBack(root, step, { bytes: keptIn(folder), modes, gone })))) notRestored.push(step.path)
  for (const name of made.toSorted().toReversed()) await removeFolder(root, name)
  await restoreFolders(root, folders)
  await syncFolders(root, steps)
  return notRestored
}

/** The temporary path of the restored file. */
const temporaryBeside = ({ path: file, temporary }: Step): string => path.posix.join(path.posix.dirname(file), path.posix.basename(temporary)) // prettier-ignore

async function removeIfOurs(root: ForeignFolder, name: string): Promise<void> {
  const kind = (await root.find(name))?.kind
  if (kind === 'file' || kind === 'link') await unlessChanged(root.remove(name).then(() => true))
}

/** False if someone else has just changed it. */
async function unlessChanged(work: Promise<boolean>): Promise<boolean> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ForeignFileError && error.code !== 'denied') return false
    throw error
  }
}

/** False if someone else has changed it. */
async function putBack(
  root: ForeignFolder,
  step: Step,
  { bytes, modes, gone }: { bytes: string; modes: ReadonlyMap<string, number>; gone: ReadonlySet<string> },
): Promise<boolean> {
  const { path: file, before, after, kept } = step
  const { found: seen, stat } = await lookAt(root, file)
  const found = withoutRemoved(seen, gone)
  if (hasContent(found, before, after)) return true
  if (!hasContent(found, after, before)) return false
  if (before === null || kept === null) {
    await root.remove(file)
    return true
  }
  await makeFolders(root, file, modes)
  if (found.kind === 'folder' && !(await removeEmpty(root, file))) return false
  const from = { file: bytes, at: kept.at, size: kept.size }
  const written = temporaryBeside(step)
  if (before.type === 'link') await root.makeLink(written, await readBytes(from))
  else await writeNew(root, written, from, kept.mode, stat)
  await root.rename(written, file)
  return true
}

/** Whether a path has this content. A folder counts as nothing if the other content is a file. */
const hasContent = (found: Found, mark: Mark | null, other: Mark | null): boolean =>
  found.kind === 'mark'
    ? sameMark(found.mark, mark)
    : mark === null && (found.kind === 'none' || (found.kind === 'folder' && other !== null))

/** Creates the folders that existed before, including empty ones, unless someone else has made a file there. */
async function restoreFolders(root: ForeignFolder, folders: readonly (readonly [string, number])[]): Promise<void> {
  for (const [name, mode] of folders.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    if ((await root.find(name)) === null) await unlessChanged(makeFolders(root, `${name}/file`, new Map([[name, mode]])).then(() => true))
}
