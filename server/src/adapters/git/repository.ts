import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { ForeignFileError, type ForeignFolder, inForeign } from '#server/foreign/index.ts'
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
const HASH = /^[0-9a-f]{40}$/
const SYMBOLIC = /^ref: (refs\/[^\0-\u0020\u007F~^:?*[\\]+)$/

/** A repository that cannot be read. */
export const refusedRepository = (
  top: string,
  reason: string,
  hint = 'Repair the repository, or choose another folder.',
  cause?: unknown,
) => new AppError('path_refused', { message: `The repository ${top} cannot be read: ${reason}.`, hint, cause })

/** Null if the folder is in no repository. Throws `path_refused`. */
export async function findRepository(folder: string): Promise<Repository | null> {
  const start = await fs.promises.realpath(folder).catch(() => null)
  if (start === null) return null
  for (let top = start; ; top = path.dirname(top)) {
    const found = await repositoryAt(top, top === start)
    if (found !== null || top === path.dirname(top)) return found
  }
}

/** Like git, uses a folder above only if its repository belongs to this user: anybody may create /tmp/.git. */
const repositoryAt = (top: string, isStart: boolean): Promise<Repository | null> =>
  reading(top, () =>
    inForeign(top, async (folder) => {
      const found = await folder.find('.git').catch((error: unknown) => {
        if (error instanceof ForeignFileError && error.file === '') return null // a folder that may only be passed through
        throw error
      })
      if (found === null || (!isStart && found.uid !== (process.geteuid?.() ?? found.uid))) return null
      if (found.kind === 'file') return pointedTo(top, await folder.text('.git', MAX_LINE))
      if (found.kind === 'link')
        throw refusedRepository(top, `its .git is a link to ${await folder.readLink('.git')}, and links are not followed`)
      if (found.kind === 'other') throw refusedRepository(top, 'its .git is neither a folder nor a file')
      const hasParts = (await folder.find('.git/HEAD')) !== null && (await folder.find('.git/objects'))?.kind === 'folder'
      const gitDir = path.join(top, '.git')
      return hasParts ? await supported({ top, gitDir, commonDir: gitDir }) : null
    }),
  )

/** The repository that a `.git` file names. It must name this folder too: only its owner can have written that. */
async function pointedTo(top: string, text: string): Promise<Repository> {
  const target = /^gitdir: ([^\0\n]+)\n*$/.exec(text)?.[1]
  if (target === undefined) throw refusedRepository(top, 'its .git is a file that names no repository')
  const gitDir = await fs.promises.realpath(path.resolve(top, target)).catch(() => null)
  if (gitDir === null) throw refusedRepository(top, `its .git names ${target}, which does not exist`)
  const found = await inForeign(gitDir, async (folder): Promise<Repository | null> => {
    const common = await realPathIn(gitDir, await folder.textOrNull('commondir', MAX_LINE))
    if (common !== null && path.dirname(gitDir) === path.join(common, 'worktrees')) {
      const back = await realPathIn(gitDir, await folder.textOrNull('gitdir', MAX_LINE))
      return back === path.join(top, '.git') ? { top, gitDir, commonDir: common } : null
    }
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
  const config = (await inForeign(repository.commonDir, (folder) => ifThere(folder.text('config', MAX_CONFIG)))) ?? ''
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
}

export function headOf({ top, gitDir, commonDir }: Repository): Promise<Head> {
  return reading(top, async () => {
    const text = await inForeign(gitDir, (folder) => folder.text('HEAD', MAX_LINE))
    const name = SYMBOLIC.exec(text.trimEnd())?.[1]
    if (name === undefined && !HASH.test(text.trimEnd())) throw refusedRepository(top, 'its HEAD names neither a branch nor a commit')
    if (name === undefined) return { commit: text.trimEnd(), branch: null }
    return { commit: await commitOf(commonDir, name), branch: /^refs\/heads\/(.+)$/.exec(name)?.[1] ?? null }
  })
}

/** The commit of a branch; null if it does not exist. */
export const branchOf = ({ top, commonDir }: Repository, branch: string): Promise<string | null> =>
  reading(top, () => commitOf(commonDir, `refs/heads/${branch}`))

const commitOf = (commonDir: string, ref: string): Promise<string | null> =>
  inForeign(commonDir, async (folder) => {
    let name = ref
    for (let depth = 0; depth < MAX_SYMBOLIC; depth += 1) {
      const text = (await loose(folder, name))?.trimEnd() ?? (await packed(folder, name))
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
