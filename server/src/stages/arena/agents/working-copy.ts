import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isDiskFull } from '#server/disk.ts'
import type { Git, StoredFile } from '#server/adapters/git/index.ts'
import type { ProjectFacts } from '../checks/facts.ts'
import type { TarFile } from '../checks/pack.ts'
import { AgentFailed } from './driver.ts'

const MAX_FILES = 200_000
const MAX_BYTES = 2 * 1024 ** 3
/** Folders of installed packages: not part of a change unless they were committed. */
export const PACKAGES = ['node_modules', '.venv', 'venv']
export const EXCLUDED_NAMES = [...PACKAGES, '__pycache__']
const BRANCH = 'main'

/** Which package folders exist in a directory. */
export const packagesOf = (directory: string | null): string[] =>
  directory === null ? [] : PACKAGES.filter((name) => fs.existsSync(path.join(directory, name)))

/** The sandbox of a run, and the folder of the copy in it. */
export interface Box {
  id: string
  root: string
}

/** What a run starts with, copied into its own folder. */
export interface Start {
  gitDir: string
  start: string
  directory: string | null
  head: string | null
  /** A repository for the agent, copied into the sandbox as `.git`. */
  repository: string
  /** Package folders of the user's folder, as relative paths. */
  packages: string[]
  /** Sentences about what was not copied. */
  notes: string[]
}

/** Copies the user's folder with uncommitted work and the history of its repository. Nothing in the folder is changed or run. */
export async function copyStart(
  git: Git,
  { folder, directory, signal }: { folder: string; directory: string | null; signal: AbortSignal },
): Promise<Start> {
  const gitDir = path.join(folder, 'change.git')
  const repository = path.join(folder, 'repository')
  const notes: string[] = []
  const tree = directory === null ? null : await git.workingTree(directory, signal)
  const top = tree?.top ?? directory
  if (tree && tree.submodules.length > 0) notes.push(`Not copied because they are separate repositories: ${tree.submodules.join(', ')}.`)
  const names = tree?.files ?? (top === null ? [] : await plainNames(git, { gitDir, top, signal }))
  if (top !== null) requireCopyable(top, names)
  const start = await git.files.store(gitDir, 'start', git.files.readPlain(top ?? '/', names), signal)
  if (top !== null) copyExcludes(path.join(top, '.git', 'info', 'exclude'), gitDir)

  const history = { commit: tree?.head ?? start, branch: tree?.branch ?? BRANCH }
  try {
    await git.workRepository(tree?.head ? tree.top : gitDir, repository, history, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!tree?.head) throw error
    notes.push(`The history of the repository could not be copied (${(error as Error).message}); the agent sees one commit.`)
    fs.rmSync(repository, { recursive: true, force: true })
    await git.workRepository(gitDir, repository, { commit: start, branch: BRANCH }, signal)
  }
  const pointers = top === null ? 0 : countPointers(top, names)
  if (pointers > 0) notes.push(`${pointers} Git LFS files in your folder are not downloaded: the agent sees only their pointers.`)
  const packages = top === null ? [] : uncommittedPackages(top, names)
  return { gitDir, start, directory: top, head: tree?.head ?? null, repository, packages, notes }
}

/** Copies a commit of a folder's repository with its history, whatever the folder contains now; installed packages are copied as they are now. */
export async function copyCommit(
  git: Git,
  { folder, directory, commit, signal }: { folder: string; directory: string; commit: string; signal: AbortSignal },
): Promise<Start> {
  const gitDir = path.join(folder, 'change.git')
  const repository = path.join(folder, 'repository')
  try {
    const top = await git.top(directory)
    if (top === null) throw new Error('it is no longer a git repository')
    await git.workRepository(top, repository, { commit, branch: BRANCH }, signal)
    const start = await git.files.store(gitDir, 'start', limitedFiles(top, git.files.of(repository, commit, signal)), signal)
    copyExcludes(path.join(top, '.git', 'info', 'exclude'), gitDir)
    const names = await git.files.names(gitDir, start, signal)
    return { gitDir, start, directory: top, head: commit, repository, packages: uncommittedPackages(top, names), notes: [] }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AgentFailed || isDiskFull(error)) throw error
    throw new AgentFailed(
      'ours', // the agent did not cause this
      `The commit ${commit.slice(0, 10)} of ${directory} could not be read: ${(error as Error).message}.`,
      'Check that the repository still exists and has this commit.',
    )
  }
}

async function* limitedFiles(top: string, files: AsyncIterable<StoredFile>): AsyncGenerator<StoredFile> {
  let [count, bytes] = [0, 0]
  for await (const file of files) {
    requireWithinLimits(top, (count += 1), (bytes += file.content.length))
    yield file
  }
}

/** Package folders that are not among the files of the repository. */
const uncommittedPackages = (top: string, names: readonly string[]): string[] =>
  packagesOf(top).filter((name) => !names.some((one) => one.startsWith(`${name}/`)))

/** The names of a folder that is not a repository. */
function plainNames(git: Git, { gitDir, top, signal }: { gitDir: string; top: string; signal: AbortSignal }): Promise<string[]> {
  git.files.prepare(gitDir)
  return git.files.list({ gitDir, folder: top, base: null, excluded: EXCLUDED_NAMES, signal })
}

function requireCopyable(top: string, names: readonly string[]): void {
  let bytes = 0
  for (const name of names) bytes += fs.lstatSync(path.join(top, name), { throwIfNoEntry: false })?.size ?? 0
  requireWithinLimits(top, names.length, bytes)
}

function requireWithinLimits(top: string, files: number, bytes: number): void {
  if (files <= MAX_FILES && bytes <= MAX_BYTES) return
  throw new AgentFailed(
    'task',
    `${top} has ${files} files with ${Math.round(bytes / 1024 ** 2)} MB, more than a run may copy (${MAX_FILES} files, ${MAX_BYTES / 1024 ** 3} GB).`,
    'Add built and downloaded files to .gitignore.',
  )
}

/** Files that the user's own exclude file ignores are not part of a change either. */
function copyExcludes(file: string, gitDir: string): void {
  if (!fs.existsSync(file)) return
  fs.mkdirSync(path.join(gitDir, 'info'), { recursive: true })
  fs.copyFileSync(file, path.join(gitDir, 'info', 'exclude'))
}

const POINTER = 'version https://git-lfs.github.com/spec/'
function countPointers(top: string, names: readonly string[]): number {
  const file = path.join(top, '.gitattributes')
  if (!names.includes('.gitattributes') || !fs.readFileSync(file, 'utf8').includes('filter=lfs')) return 0
  return names.filter((name) => {
    const stat = fs.lstatSync(path.join(top, name), { throwIfNoEntry: false })
    return stat?.isFile() && stat.size < 1024 && fs.readFileSync(path.join(top, name), 'utf8').startsWith(POINTER)
  }).length
}

const MAX_READ = 1024 * 1024
/** Reads the facts of a project from a commit in the run's own repository. `digest`: of all its files. */
export async function factsOf(git: Git, gitDir: string, commit: string, signal: AbortSignal): Promise<ProjectFacts & { digest: string }> {
  const texts = new Map<string, string>()
  const files: string[] = []
  const digest = createHash('sha256')
  for await (const { name, mode, content } of git.files.of(gitDir, commit, signal)) {
    digest.update(`${JSON.stringify([name, mode, content.length])}\n`).update(content)
    if (mode === '120000') continue
    files.push(name)
    if (/\.(?:json|lock|lockb|ya?ml|txt)$/.test(name) && content.length <= MAX_READ) texts.set(name, content.toString('utf8'))
  }
  return { files, read: async (name) => texts.get(name) ?? null, digest: digest.digest('hex') }
}

/** Converts files of a commit to entries of a tar file. */
export async function* tarFiles(files: AsyncIterable<StoredFile>): AsyncGenerator<TarFile> {
  for await (const { name, mode, content } of files)
    yield mode === '120000' ? { name, linkname: content.toString('utf8') } : { name, mode: mode === '100755' ? 0o755 : 0o644, content }
}

/** Writes the files of a commit into an empty folder; links last, so that no file is written through one. */
export async function writeFiles(folder: string, files: AsyncIterable<StoredFile>): Promise<void> {
  const links: StoredFile[] = []
  fs.mkdirSync(folder, { recursive: true })
  for await (const file of files) {
    if (file.mode === '120000') {
      links.push(file)
      continue
    }
    const place = createParent(folder, file.name)
    await pipeline([file.content], fs.createWriteStream(place, { flags: 'wx', mode: file.mode === '100755' ? 0o755 : 0o644 }))
  }
  for (const { name, content } of links) fs.symlinkSync(content.toString('utf8'), createParent(folder, name))
}

function createParent(folder: string, name: string): string {
  const place = path.join(folder, name)
  fs.mkdirSync(path.dirname(place), { recursive: true })
  return place
}
