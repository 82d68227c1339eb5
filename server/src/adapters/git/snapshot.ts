import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { ForeignFileError, ForeignFolder, type ForeignKind, inJudged, type OpenFolder } from '#server/foreign/index.ts'
import { type GitCall, type GitPlaces, gitBytes, placeOf } from './plumbing.ts'
import { ifThere, reading, refusedRepository, type Repository } from './repository.ts'

const MAX_INDEX = 1024 * 1024 * 1024
const MAX_SHALLOW = 64 * 1024 * 1024
const MAX_EXCLUDES = 1024 * 1024
const DEADLINE_MS = 30_000

/** Asks git. `config`: settings for this call; git sees none of the repository. */
export type Asking = (args: readonly string[], more?: Pick<GitCall, 'env' | 'config' | 'input' | 'deadlineMs'>) => Promise<Buffer>

export interface Snapshot {
  ask: Asking
  /** The folder of our repository. */
  gitDir: string
  /** What a git that is started otherwise on `gitDir` must inherit. */
  folders: readonly OpenFolder[]
}

/**
 * Asks git about a repository through one of ours with its index, ignored files and objects but without its settings, because
 * settings name programs and other places. What git adds is ours, too. Git inherits the folders of the files and the objects
 * opened, so it does not look for them again. Throws `path_refused` if git cannot read it.
 */
export async function inSnapshot<T>(
  places: GitPlaces,
  repository: Repository,
  signal: AbortSignal,
  use: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const { top, commonDir } = repository
  const gitDir = await fs.promises.mkdtemp(path.join(os.tmpdir(), 'bashgym-git-'))
  try {
    await reading(top, () => fill(gitDir, repository))
    return await withFolder(top, top, '', (work) =>
      withFolder(top, commonDir, 'objects', async (objects) => {
        const folders = [work, objects]
        await fs.promises.mkdir(path.join(gitDir, 'objects', 'info'))
        await fs.promises.writeFile(path.join(gitDir, 'objects', 'info', 'alternates'), `${placeOf(folders, 1)}\n`)
        const where = [`--git-dir=${gitDir}`, '-C', placeOf(folders, 0)]
        return use({ gitDir, folders, ask: (args, more) => ask(places, top, { ...more, args: [...where, ...args], folders, signal }) })
      }),
    )
  } finally {
    await fs.promises.rm(gitDir, { recursive: true, force: true })
  }
}

/** Holds a folder of a repository open; errors of `use` are left as they are. */
export async function withFolder<T>(top: string, root: string, name: string, use: (folder: OpenFolder) => Promise<T>): Promise<T> {
  const folder = new ForeignFolder(root, { isJudged: true })
  try {
    await reading(top, () => folder.withOpen(name, async () => {}))
    return await folder.withOpen(name, use)
  } finally {
    await folder.close()
  }
}

async function ask(places: GitPlaces, top: string, call: GitCall): Promise<Buffer> {
  const deadlineMs = call.deadlineMs ?? DEADLINE_MS
  try {
    return await gitBytes(places, { ...call, deadlineMs })
  } catch (cause) {
    if (call.signal.aborted && (call.signal.reason as Error).name !== 'TimeoutError') throw cause
    if (call.signal.aborted || (cause as Error).message.endsWith(': it took too long'))
      throw refusedRepository(
        top,
        `git did not finish within ${deadlineMs / 1000} s`,
        'Add built and downloaded files to .gitignore, and remove what is not a regular file but named .gitignore or .git.',
        cause,
      )
    throw refusedRepository(top, (cause as Error).message, 'Run `git status` and `git fsck` in it, and repair what they report.', cause)
  }
}

async function fill(scratch: string, { gitDir, commonDir }: Repository): Promise<void> {
  await emptyRepository(scratch)
  await inJudged(gitDir, async (folder) => {
    const parts = (await folder.list()).map(({ name }) => name).filter((name) => /^sharedindex\.[0-9a-f]{40}$/.test(name))
    for (const name of ['index', ...parts]) {
      const content = await ifThere(folder.read(name, MAX_INDEX))
      if (content === null) continue
      const place = path.join(scratch, name)
      await fs.promises.writeFile(place, content, { mode: 0o600 })
      // git compares files that are newer than the index by their content
      const seconds = Math.floor(((await folder.find(name))?.mtimeMs ?? 0) / 1000)
      await fs.promises.utimes(place, seconds, seconds)
    }
  })
  const shallow = await shallowOf(commonDir)
  if (shallow !== null) await fs.promises.writeFile(path.join(scratch, 'shallow'), shallow)
  const { text } = await excludesOf(commonDir)
  if (text !== null) await writeExcludes(scratch, text)
}

const shallowOf = (commonDir: string): Promise<Buffer | null> =>
  inJudged(commonDir, (folder) => ifThere(folder.read('shallow', MAX_SHALLOW)))

/** The user's own list of ignored files in a repository. `problem`: why it cannot be read. */
export const excludesOf = (commonDir: string): Promise<{ text: string | null; problem: string | null }> =>
  inJudged(commonDir, async (folder) => {
    try {
      return { text: await ifThere(folder.text('info/exclude', MAX_EXCLUDES)), problem: null }
    } catch (error) {
      if (!(error instanceof ForeignFileError)) throw error
      return { text: null, problem: error.message }
    }
  })

/** Sets the ignored files of one of our own repositories. */
export async function writeExcludes(gitDir: string, text: string): Promise<void> {
  await fs.promises.mkdir(path.join(gitDir, 'info'), { recursive: true })
  await fs.promises.writeFile(path.join(gitDir, 'info', 'exclude'), text)
}

/** Objects that can be copied: everything is in the repository itself, so no commit of another one comes with them. */
export interface OwnObjects {
  folder: string
  /** The commits whose parents are missing. */
  shallow: Buffer | null
}

/** Throws `path_refused` if objects are links or are in another repository. */
export const ownObjects = ({ top, commonDir }: Pick<Repository, 'top' | 'commonDir'>): Promise<OwnObjects> =>
  reading(top, () =>
    inJudged(commonDir, async (folder) => {
      for await (const { name, kind } of folder.walk('objects'))
        if (kind === 'link' || kind === 'other')
          throw refusedRepository(top, `${name} is ${kind === 'link' ? 'a link' : 'not a regular file'}`)
      const alternates = await ifThere(folder.text('objects/info/alternates', MAX_EXCLUDES))
      const other = alternates?.split('\n').find((line) => line !== '' && !line.startsWith('#'))
      if (other !== undefined)
        throw refusedRepository(
          top,
          `a part of its history is in another repository (${other}, named by objects/info/alternates)`,
          'Copy it with `git repack -a -d`, then remove the file objects/info/alternates.',
        )
      return { folder: path.join(commonDir, 'objects'), shallow: await shallowOf(commonDir) }
    }),
  )

const WRITTEN = ['HEAD', 'index', 'packed-refs', 'config', 'config.worktree', 'shallow', 'logs', 'refs', 'info/attributes', 'info/grafts']

/** Throws `path_refused` if git, which follows links, would read or write a file elsewhere when it adds commits and moves branches. */
export const requireOwnFiles = ({ top, gitDir, commonDir }: Repository): Promise<void> =>
  reading(top, async () => {
    const refuse = ({ name, kind }: { name: string; kind: ForeignKind }) => {
      if (kind === 'link' || kind === 'other') throw refusedRepository(top, `${name} in its git folder is ${kind === 'link' ? 'a link' : 'not a regular file'}`) // prettier-ignore
    }
    for (const place of new Set([gitDir, commonDir]))
      await inJudged(place, async (folder) => {
        for (const name of WRITTEN) {
          const found = await folder.find(name)
          if (found === null) continue
          refuse({ name, kind: found.kind })
          if (found.kind === 'folder') for await (const entry of folder.walk(name)) refuse(entry)
        }
        for (const name of ['objects', 'objects/pack', 'objects/info', 'info']) {
          const found = await folder.find(name)
          if (found !== null) refuse({ name, kind: found.kind })
        }
        if ((await folder.find('objects')) !== null) for (const entry of await folder.list('objects')) refuse(entry)
      })
  })

/** The content of a packed-refs file with these refs, which git requires in the order of their bytes. */
export function packedRefsOf(refs: ReadonlyMap<string, string>): string {
  const sorted = [...refs].toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  return `# pack-refs with: sorted \n${sorted.map(([name, hash]) => `${hash} ${name}\n`).join('')}`
}

/** Creates the files that git requires in a bare repository, without settings. */
export async function emptyRepository(folder: string): Promise<void> {
  for (const name of ['refs', 'objects']) await fs.promises.mkdir(path.join(folder, name), { recursive: true })
  const head = path.join(folder, 'HEAD')
  const part = `${head}-${process.hrtime.bigint()}`
  await fs.promises.writeFile(part, 'ref: refs/heads/none\n')
  await fs.promises.rename(part, head) // others may be reading the repository, and without HEAD it is none
}

export const isRefused = (error: unknown): error is AppError => error instanceof AppError && error.code === 'path_refused'
