import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import type { Git, StoredFile, Unread } from '#server/adapters/git/index.ts'
import { isDiskFull } from '#server/disk.ts'
import { ForeignFileError, inJudged } from '#server/foreign/index.ts'
import { ENVIRONMENTS, type ProjectFacts, readFacts, type TarFile } from '#server/stages/checks/index.ts'
import { AgentFailed } from './driver.ts'

const MAX_FILES = 200_000
const MAX_BYTES = 2 * 1024 ** 3
/** Folders of installed packages: not part of a change unless they were committed. */
export const PACKAGES = ['node_modules', '.venv', 'venv']
export const EXCLUDED_NAMES = [...PACKAGES, '__pycache__']
const BRANCH = 'main'

/** System folders, which cannot be a project. */
export const isSystemFolder = (folder: string): boolean =>
  /^\/(?:(?:usr|bin|sbin|lib\w*|etc|proc|dev|sys|boot|var|run|tests|logs)(?:\/|$))?$/.test(folder)

/** Which package folders a directory has, by their paths in it, that have no committed file. Links are not among them: they can lead to any folder. */
export const packagesOf = async (directory: string | null, committed: readonly string[]): Promise<string[]> =>
  (await namedPackages(directory)).folders.filter(isNotIn(committed))

const isNotIn = (committed: readonly string[]) => (name: string) => !committed.some((one) => one.startsWith(`${name}/`))

/** `links`: names of package folders that are links. */
async function namedPackages(directory: string | null): Promise<{ folders: string[]; links: string[] }> {
  if (directory === null) return { folders: [], links: [] }
  const nested = await packagesBelow(directory)
  return inJudged(directory, async (folder) => {
    const kinds = new Map<string, string | undefined>()
    for (const name of [...PACKAGES, ...ENVIRONMENTS]) kinds.set(name, (await folder.find(name))?.kind)
    // a folder may be called "env" without being one
    if (kinds.get('env') === 'folder' && (await folder.find('env/pyvenv.cfg'))?.kind !== 'file') kinds.delete('env')
    const having = (kind: string) => [...kinds].flatMap(([name, one]) => (one === kind ? [name] : []))
    return { folders: [...having('folder'), ...nested], links: having('link') }
  })
}

/** The most packages of a workspace whose installed packages are copied. */
const MAX_NESTED = 500

/** `node_modules` of the packages of a workspace: what is not hoisted to the project itself. */
async function packagesBelow(directory: string): Promise<string[]> {
  const { installed } = await readFacts(directory)
  return [...installed].filter((folder) => folder !== '').toSorted().slice(0, MAX_NESTED).map((folder) => `${folder}/node_modules`) // prettier-ignore
}

/** Where package folders may be after a set-up, by the files of a project. */
export const packagePlaces = (files: readonly string[]): string[] => {
  const folders = files.filter((name) => name.endsWith('/package.json')).map((name) => path.posix.dirname(name))
  return [...PACKAGES, ...folders.slice(0, MAX_NESTED).map((folder) => `${folder}/node_modules`)]
}

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
  const tree = directory === null ? null : await git.workingTree(directory, signal).catch(failedBecauseOfTask)
  const top = tree?.top ?? directory
  if (tree && tree.submodules.length > 0) notes.push(`Not copied because they are separate repositories: ${tree.submodules.join(', ')}.`)
  const names = tree?.files ?? (top === null ? [] : await plainNames(git, { gitDir, top, signal }))
  const unread: Unread[] = []
  const pointers = createPointerCount()
  const files = git.files.readPlain(top ?? '/', [...names, ...(tree?.deleted ?? [])], (file) => void unread.push(file))
  const start = await git.files.store(gitDir, 'start', pointers.counting(limitedFiles(top ?? '/', files)), signal)
  notes.push(...notesOf(unread, 'Not copied'))
  if (tree?.excludes.text) await git.files.exclude(gitDir, tree.excludes.text)
  if (tree?.excludes.problem) notes.push(`The list of ignored files was not read: ${tree.excludes.problem}.`)

  const history = { commit: tree?.head ?? start, branch: tree?.branch ?? BRANCH }
  try {
    await git.workRepository(tree?.head ? { top: tree.top } : { gitDir }, repository, history, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!tree?.head) throw error
    const why = (error as Error).message.replace(/\.$/, '')
    notes.push(`The history of the repository could not be copied (${why}); the agent sees one commit.`)
    await fs.promises.rm(repository, { recursive: true, force: true })
    await git.workRepository({ gitDir }, repository, { commit: start, branch: BRANCH }, signal)
  }
  if (pointers.count > 0)
    notes.push(`${pointers.count} Git LFS files in your folder are not downloaded: the agent sees only their pointers.`)
  const packages = await uncommittedPackages(top, names, notes)
  return { gitDir, start, directory: top, head: tree?.head ?? null, repository, packages, notes }
}

/** Copies a commit of a folder's repository with its history, whatever the folder contains now; installed packages are copied as they are now. */
export async function copyCommit(
  git: Git,
  { folder, directory, commit, signal }: { folder: string; directory: string; commit: string; signal: AbortSignal },
): Promise<Start> {
  const gitDir = path.join(folder, 'change.git')
  const repository = path.join(folder, 'repository')
  const notes: string[] = []
  try {
    const top = await git.top(directory)
    if (top === null) throw new Error('it is no longer a git repository')
    await git.workRepository({ top }, repository, { commit, branch: BRANCH }, signal)
    const start = await git.files.store(gitDir, 'start', limitedFiles(top, git.files.of(repository, commit, signal)), signal)
    const { text } = await git.excludes(top)
    if (text !== null) await git.files.exclude(gitDir, text)
    const names = await git.files.names(gitDir, start, signal)
    const packages = await uncommittedPackages(top, names, notes)
    return { gitDir, start, directory: top, head: commit, repository, packages, notes }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AgentFailed || isDiskFull(error)) throw error
    throw new AgentFailed(
      'ours', // the agent did not cause this
      `The commit ${commit.slice(0, 10)} of ${directory} could not be read: ${(error as Error).message.replace(/\.$/, '')}.`,
      (error instanceof AppError ? error.hint : undefined) ?? 'Check that the repository still exists and has this commit.',
    )
  }
}

/** Copies the start of an exam's task, which is all that the agent sees of the repository: one commit. */
export async function copyTask(
  git: Git,
  {
    folder,
    gitDir: from,
    directory,
    commit,
    signal,
  }: { folder: string; gitDir: string; directory: string; commit: string; signal: AbortSignal },
): Promise<Start> {
  const gitDir = path.join(folder, 'change.git')
  const repository = path.join(folder, 'repository')
  const notes: string[] = []
  try {
    const start = await git.files.store(gitDir, 'start', git.files.of(from, commit, signal), signal)
    await git.workRepository({ gitDir }, repository, { commit: start, branch: BRANCH }, signal)
    const packages = await uncommittedPackages(directory, await git.files.names(gitDir, start, signal), notes)
    return { gitDir, start, directory, head: null, repository, packages, notes }
  } catch (error) {
    signal.throwIfAborted()
    if (isDiskFull(error)) throw error
    throw new AgentFailed(
      'ours',
      `The files of this task could not be read: ${(error as Error).message.replace(/\.$/, '')}.`,
      'Make the exam again.',
    )
  }
}

/** Throws what is wrong with the folder as the reason of the run. */
export function failedBecauseOfTask(error: unknown): never {
  if (error instanceof ForeignFileError) throw new AgentFailed('task', `The folder was not copied: ${error.message}.`, 'It was changed meanwhile; start again.') // prettier-ignore
  if (error instanceof AppError && error.code === 'path_refused') throw new AgentFailed('task', error.message, error.hint ?? null)
  throw error
}

const MAX_NAMED = 5
const MAX_NOTES = 20

/** Says which files were not read. `what`: the beginning of each sentence. */
export function notesOf(unread: readonly Unread[], what: string): string[] {
  const byCause = [...Map.groupBy(unread, ({ why }) => why)]
  const sentences = byCause.map(([why, files]) => {
    const more = files.length - MAX_NAMED
    const names = files.slice(0, MAX_NAMED).map(({ name }) => name).join(', ') // prettier-ignore
    return `${what}: ${names}${more > 0 ? ` and ${more} more` : ''}. ${why}.`
  })
  const rest = byCause.slice(MAX_NOTES).flatMap(([, files]) => files).length // prettier-ignore
  return [...sentences.slice(0, MAX_NOTES), ...(rest > 0 ? [`${what}: ${rest} other files, for other reasons.`] : [])]
}

async function* limitedFiles(top: string, files: AsyncIterable<StoredFile>): AsyncGenerator<StoredFile> {
  let [count, bytes] = [0, 0]
  for await (const file of files) {
    requireWithinLimits(top, (count += 1), (bytes += file.content.length))
    yield file
  }
}

/** Package folders that are not among the files of the repository. */
async function uncommittedPackages(top: string | null, names: readonly string[], notes: string[]): Promise<string[]> {
  const { folders, links } = await namedPackages(top)
  const linked = links.filter((name) => !names.includes(name))
  if (linked.length > 0) notes.push(`Not copied because they are links, which are not followed: ${linked.join(', ')}.`)
  return folders.filter(isNotIn(names))
}

/** The names of a folder that is not a repository. */
async function plainNames(git: Git, { gitDir, top, signal }: { gitDir: string; top: string; signal: AbortSignal }): Promise<string[]> {
  await git.files.prepare(gitDir)
  return git.files.list({ gitDir, folder: top, base: null, excluded: EXCLUDED_NAMES, signal })
}

function requireWithinLimits(top: string, files: number, bytes: number): void {
  if (files <= MAX_FILES && bytes <= MAX_BYTES) return
  throw new AgentFailed(
    'task',
    `${top} has ${files} files with ${Math.round(bytes / 1024 ** 2)} MB, more than a run may copy (${MAX_FILES} files, ${MAX_BYTES / 1024 ** 3} GB).`,
    'Add built and downloaded files to .gitignore.',
  )
}

const POINTER = 'version https://git-lfs.github.com/spec/'
const MAX_POINTER_BYTES = 1024

/** Counts the files of a repository with Git LFS that have only a pointer. */
function createPointerCount() {
  let hasLfs = false
  let pointers = 0
  return {
    get count(): number {
      return hasLfs ? pointers : 0
    },
    async *counting(files: AsyncIterable<StoredFile>): AsyncGenerator<StoredFile> {
      for await (const file of files) {
        const { name, mode, content } = file
        if (name === '.gitattributes') hasLfs = mode !== '120000' && content.includes('filter=lfs')
        if (mode !== '120000' && content.length < MAX_POINTER_BYTES && content.toString('utf8').startsWith(POINTER)) pointers += 1
        yield file
      }
    },
  }
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
  return { files, installed: new Set(), read: async (name) => texts.get(name) ?? null, digest: digest.digest('hex') }
}

/** Converts files of a commit to entries of a tar file. */
export async function* tarFiles(files: AsyncIterable<StoredFile>): AsyncGenerator<TarFile> {
  for await (const { name, mode, content } of files)
    yield mode === '120000' ? { name, linkname: content.toString('utf8') } : { name, mode: mode === '100755' ? 0o755 : 0o644, content }
}

/** Writes the files of a commit into an empty folder. */
export async function writeFiles(folder: string, files: AsyncIterable<StoredFile>): Promise<void> {
  await fs.promises.mkdir(folder, { recursive: true })
  await inJudged(folder, async (into) => {
    for await (const { name, mode, content } of files)
      if (mode === '120000') await into.makeLink(name, content.toString('utf8'))
      else await into.writeFile(name, content, { mode: mode === '100755' ? 0o755 : 0o644, limitBytes: content.length, replace: false })
  })
}
