import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { ForeignFileError, type ForeignFolder, inJudged } from '#server/foreign/index.ts'
import { isWithin } from '#server/within.ts'

/**
 * A repository with a working tree. It is found here and not by git, which follows links, settings and the contents of `.git` to
 * any other place: a stranger's `.git` could make other folders, and the history of other repositories, a part of this one.
 */
export interface Repository {
  /** Without links. */
  top: string
  /** Has the index and HEAD. */
  gitDir: string
  /** Has the objects, branches and settings; differs from `gitDir` in a linked working tree. */
  commonDir: string
}

const MAX_LINE = 4096
const MAX_CONFIG = 4 * 1024 * 1024
const MAX_PACKED_REFS = 256 * 1024 * 1024
const MAX_SYMBOLIC = 5
export const HASH = /^[0-9a-f]{40}$/
const PACKED_LINE = /^([0-9a-f]{40}) (refs\/[^\0-\u0020\u007F~^:?*[\\]+)\n?$/
export const SYMBOLIC = /^ref: (refs\/[^\0-\u0020\u007F~^:?*[\\]+)$/

/** A repository that cannot be read. */
export const refusedRepository = (
  top: string,
  reason: string,
  hint = 'Repair the repository, or choose another folder.',
  cause?: unknown,
) => new AppError('path_refused', { message: `The repository ${top} cannot be read: ${reason}.`, hint, cause })

/** `folder`: a path without links; one that took the place of a part of it is not followed. Null if it is in no repository. Throws `path_refused`. */
export async function findRepository(folder: string): Promise<Repository | null> {
  const start = path.resolve(folder)
  if (!(await isFolder(start))) return null
  for (let top = start; ; top = path.dirname(top)) {
    const found = await repositoryAt(top, top === start)
    if (found !== null || top === path.dirname(top)) return found
  }
}

/** False if it does not exist. Throws `path_refused` if a link leads to it. */
const isFolder = (place: string): Promise<boolean> =>
  reading(place, () =>
    inJudged(place, (folder) => folder.withOpen('', async () => true)).catch((error: unknown) => {
      if (!(error instanceof ForeignFileError)) throw error
      if (error.code === 'missing') return false
      if (error.code === 'denied') return true // its repository can be in a folder above
      throw error
    }),
  )

/** Like git, uses a folder above only if its repository belongs to this user: anybody may create /tmp/.git. */
const repositoryAt = (top: string, isStart: boolean): Promise<Repository | null> =>
  reading(top, () =>
    inJudged(top, async (folder) => {
      const found = await folder.find('.git').catch((error: unknown) => {
        if (error instanceof ForeignFileError && error.file === '' && error.code === 'denied') return null // it may only be passed through
        throw error
      })
      if (found === null || (!isStart && found.uid !== (process.geteuid?.() ?? found.uid))) return null
      if (found.kind === 'file') return pointedTo(top, await folder.text('.git', MAX_LINE))
      if (found.kind === 'link')
        throw refusedRepository(top, `its .git is a link to ${await folder.readLink('.git')}, and links are not followed`)
      if (found.kind === 'other') throw refusedRepository(top, 'its .git is neither a folder nor a file')
      await requireNoOther(top, folder, '.git/')
      const hasParts = (await folder.find('.git/HEAD')) !== null && (await folder.find('.git/objects'))?.kind === 'folder'
      const gitDir = path.join(top, '.git')
      return hasParts ? await supported({ top, gitDir, commonDir: gitDir }) : null
    }),
  )

/** Throws `path_refused` if git would take the parts of a git folder, at a path that is empty or ends with "/", from another one. */
export async function requireNoOther(top: string, folder: ForeignFolder, prefix: '' | '.git/'): Promise<void> {
  if ((await folder.find(`${prefix}commondir`)) !== null)
    throw refusedRepository(
      top,
      `its git folder has a file commondir, which makes it a part of another repository`,
      'Remove that file, or choose another folder.',
    )
}

/** The repository that a `.git` file names. It must name this folder too: only its owner can have written that. */
async function pointedTo(top: string, text: string): Promise<Repository> {
  const target = /^gitdir: ([^\0\n]+)\n*$/.exec(text)?.[1]
  if (target === undefined) throw refusedRepository(top, 'its .git is a file that names no repository')
  const gitDir = await fs.promises.realpath(path.resolve(top, target)).catch(() => null)
  if (gitDir === null) throw refusedRepository(top, `its .git names ${target}, which does not exist`)
  const found = await inJudged(gitDir, async (folder): Promise<Repository | null> => {
    const common = await realPathIn(gitDir, await folder.textOrNull('commondir', MAX_LINE))
    if (common !== null && path.dirname(gitDir) === path.join(common, 'worktrees')) {
      const back = await realPathIn(gitDir, await folder.textOrNull('gitdir', MAX_LINE))
      return back === path.join(top, '.git') ? { top, gitDir, commonDir: common } : null
    }
    await requireNoOther(top, folder, '')
    const worktree = /^[^\S\n]*worktree[^\S\n]*=[^\S\n]*"?([^"\n]+?)"?[^\S\n]*$/im.exec((await folder.textOrNull('config', MAX_CONFIG)) ?? '')?.[1] // prettier-ignore
    const isOurs = isWithin(top, gitDir) || (await realPathIn(gitDir, worktree ?? null)) === top
    return isOurs ? { top, gitDir, commonDir: gitDir } : null
  })
  if (found !== null) return supported(found)
  const hint = `If it is yours: git --git-dir=${gitDir} config core.worktree ${top}`
  throw refusedRepository(top, `its .git names the repository ${gitDir}, which does not name this folder`, hint)
}

async function realPathIn(folder: string, text: string | null): Promise<string | null> {
  const target = text?.replace(/\n+$/, '')
  if (!target || target.includes('\0')) return null
  return fs.promises.realpath(path.resolve(folder, target)).catch(() => null)
}

async function supported(repository: Repository): Promise<Repository> {
  const config = (await inJudged(repository.commonDir, (folder) => ifThere(folder.text('config', MAX_CONFIG)))) ?? ''
  const has = (setting: string, value: string) => new RegExp(String.raw`^\s*${setting}\s*=\s*"?${value}`, 'im').test(config)
  if (has('refstorage', 'reftable'))
    throw refusedRepository(repository.top, 'it keeps its branches as a reftable', 'Convert it with `git refs migrate --ref-format=files`.')
  if (has('objectformat', 'sha256'))
    throw refusedRepository(repository.top, 'it uses SHA-256, and only SHA-1 is supported', 'Choose another folder.')
  return repository
}

/** Explains a file of the repository that could not be read. */
export async function reading<T>(top: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    throw refusedRepository(top, `in its git folder, ${error.message}`, undefined, error)
  }
}

/** Null if the file does not exist. */
export async function ifThere<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ForeignFileError && error.code === 'missing') return null
    throw error
  }
}

export interface Head {
  /** Null if there is no commit yet. */
  commit: string | null
  /** Null if no branch is checked out. */
  branch: string | null
  /** The full name of the ref that is checked out; null if it is a commit. */
  ref: string | null
}

export function headOf({ top, gitDir, commonDir }: Repository): Promise<Head> {
  return reading(top, async () => {
    const text = await inJudged(gitDir, (folder) => folder.text('HEAD', MAX_LINE))
    const name = SYMBOLIC.exec(text.trimEnd())?.[1]
    if (name === undefined && !HASH.test(text.trimEnd())) throw refusedRepository(top, 'its HEAD names neither a branch nor a commit')
    if (name === undefined) return { commit: text.trimEnd(), branch: null, ref: null }
    return { commit: await commitOf(commonDir, name), branch: /^refs\/heads\/(.+)$/.exec(name)?.[1] ?? null, ref: name }
  })
}

/** The commit of a branch; null if it does not exist. */
export const branchOf = ({ top, commonDir }: Repository, branch: string): Promise<string | null> =>
  reading(top, () => commitOf(commonDir, `refs/heads/${branch}`))

/** The commit of a ref by its full name; null if it does not exist. */
export const refOf = ({ top, commonDir }: Repository, ref: string): Promise<string | null> => reading(top, () => commitOf(commonDir, ref))

/** What a ref itself has, which can be another ref; null if it does not exist. */
export const refTextOf = async (common: ForeignFolder, ref: string): Promise<string | null> =>
  (await loose(common, ref))?.trimEnd() ?? (await packed(common, ref))

/** Every ref with its commit, without those that name other refs. */
export const allRefs = ({ top, commonDir }: Repository): Promise<Map<string, string>> =>
  reading(top, () =>
    inJudged(commonDir, async (folder) => {
      const refs = new Map<string, string>()
      for (const line of (await packedLines(folder)) ?? []) {
        const [, hash, name] = PACKED_LINE.exec(line) ?? []
        if (name !== undefined) refs.set(Buffer.from(name, 'latin1').toString('utf8'), hash!)
      }
      for await (const { name, kind } of folder.walk('refs')) {
        const text = kind === 'file' && !name.endsWith('.lock') ? (await loose(folder, name))?.trimEnd() : undefined
        if (text !== undefined && HASH.test(text)) refs.set(name, text)
      }
      return refs
    }),
  )

/** The lines of packed-refs with their line ends; null if there is no such file. */
export async function packedLines(folder: ForeignFolder): Promise<string[] | null> {
  const content = await ifThere(folder.read('packed-refs', MAX_PACKED_REFS))
  return content === null ? null : content.toString('latin1').split(/(?<=\n)/)
}

const commitOf = (commonDir: string, ref: string): Promise<string | null> =>
  inJudged(commonDir, async (folder) => {
    let name = ref
    for (let depth = 0; depth < MAX_SYMBOLIC; depth += 1) {
      const text = await refTextOf(folder, name)
      const next = text === null ? undefined : SYMBOLIC.exec(text)?.[1]
      if (next === undefined) return text !== null && HASH.test(text) ? text : null
      name = next
    }
    return null
  })

/** A folder can have the name of a packed branch. */
async function loose(folder: ForeignFolder, name: string): Promise<string | null> {
  try {
    return await folder.text(name, MAX_LINE)
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    if (error.code === 'missing' || error.code === 'folder' || error.code === 'name') return null
    const isFile = error.code === 'not_a_folder' && (await folder.find(error.file))?.kind === 'file'
    if (isFile) return null
    throw error
  }
}

async function packed(folder: ForeignFolder, name: string): Promise<string | null> {
  const content = await ifThere(folder.read('packed-refs', MAX_PACKED_REFS))
  if (content === null) return null
  const end = content.indexOf(` ${name}\n`)
  return end < 40 ? null : content.toString('latin1', end - 40, end)
}
