import fs from 'node:fs'
import { AppError } from '#contracts/errors.ts'
import { inJudged } from '#server/foreign/index.ts'
import { isWithin } from '#server/within.ts'
import type { GitPlaces } from './plumbing.ts'
import { findRepository, headOf, type Repository } from './repository.ts'
import { excludesOf, inSnapshot } from './snapshot.ts'

/** The current state of a user's folder, including uncommitted work. */
export interface WorkingTree {
  /** The top folder of its repository. */
  top: string
  /** The newest commit; null if there is none yet. */
  head: string | null
  /** Null if no branch is checked out. */
  branch: string | null
  /** Existing files that are tracked, or new and not ignored; paths below `top`. */
  files: string[]
  /** Tracked files that git finds deleted, also because a link is above them. */
  deleted: string[]
  /** Number of files that are new, changed or deleted since the newest commit. */
  uncommitted: number
  /** Folders of other repositories inside; `files` does not have their files. */
  submodules: string[]
  /** The user's own list of ignored files; `problem`: why it was not read. */
  excludes: { text: string | null; problem: string | null }
}

/** The repository whose files are copied with a folder (a path without links); null if it is in none, or only in one of the whole home folder. Throws `path_refused`. */
async function repositoryToCopy(places: GitPlaces, folder: string): Promise<Repository | null> {
  const userHome = await realPath(places.userHome)
  if (isWithin(folder, userHome))
    throw new AppError('path_refused', { message: `${folder} has your whole home folder.`, hint: 'Choose the folder of one project.' })
  const repository = await findRepository(folder)
  return repository === null || isWithin(repository.top, userHome) ? null : repository
}

/** The folder, without links, that is copied for a folder. */
export async function copiedFolder(places: GitPlaces, folder: string): Promise<string> {
  const real = await realPath(folder)
  return (await repositoryToCopy(places, real).catch(() => null))?.top ?? real // a run says what is wrong with it
}

/** Null if the folder is in no repository, or only in one of the whole home folder. Throws `path_refused`. */
export async function readWorkingTree(places: GitPlaces, folder: string, signal: AbortSignal): Promise<WorkingTree | null> {
  const repository = await repositoryToCopy(places, folder)
  if (repository === null) return null
  const { top } = repository
  const { commit: head, branch } = await headOf(repository)
  return inSnapshot(places, repository, signal, async ({ ask }) => {
    const staged = split(await ask(['ls-files', '-z', '-t', '--stage'])).map(stagedOf)
    const others = split(await ask(['ls-files', '-z', '--others', '--exclude-standard']))
    const inIndex = head === null ? [] : split(await ask(['diff-index', '-z', '--cached', '--name-only', '--ignore-submodules', head]))
    const edited = split(await ask(['diff-files', '-z', '--name-status', '--ignore-submodules']))
    const editedNames = edited.filter((_, at) => at % 2 === 1)
    const deleted = new Set(editedNames.filter((_, at) => edited[2 * at] === 'D'))
    const isSubmodule = ({ mode }: Staged) => mode === '160000'
    const isNested = (name: string) => name.endsWith('/')
    const tracked = staged.filter((one) => !isSubmodule(one) && !deleted.has(one.name))
    const missing = await missingOf(top, tracked.filter(({ isSkipped }) => isSkipped).map(({ name }) => name)) // prettier-ignore
    const names = new Set([...tracked.map(({ name }) => name), ...others.filter((name) => !isNested(name))])
    const files = [...names].filter((name) => !missing.has(name)).toSorted()
    return {
      top,
      head,
      branch,
      files,
      deleted: [...deleted],
      uncommitted: head === null ? files.length : others.length + new Set([...inIndex, ...editedNames]).size,
      submodules: [...new Set([...staged.filter(isSubmodule).map(({ name }) => name), ...others.filter(isNested).map((name) => name.slice(0, -1))])], // prettier-ignore
      excludes: await excludesOf(repository.commonDir),
    }
  })
}

interface Staged {
  name: string
  mode: string
  /** Git does not look at the file, which may be missing. */
  isSkipped: boolean
}

const stagedOf = (line: string): Staged => ({
  name: line.slice(line.indexOf('\t') + 1),
  mode: line.slice(2, 8),
  isSkipped: line.startsWith('S'),
})

const missingOf = (top: string, names: readonly string[]): Promise<ReadonlySet<string>> =>
  inJudged(top, async (folder) => {
    const missing = new Set<string>()
    for (const name of names) if ((await folder.find(name)) === null) missing.add(name)
    return missing
  })

const realPath = (place: string): Promise<string> => fs.promises.realpath(place).catch(() => place)
const split = (bytes: Buffer): string[] => bytes.toString('utf8').split('\0').filter(Boolean)
