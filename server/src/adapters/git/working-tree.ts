import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isWithin } from '#server/within.ts'
import { type GitPlaces, gitBytes } from './plumbing.ts'

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
  /** Number of files that are new, changed or deleted since the newest commit. */
  uncommitted: number
  /** Folders of other repositories inside; `files` does not have their files. */
  submodules: string[]
}

/** Null if the folder is in no repository. */
export async function readWorkingTree(places: GitPlaces, folder: string, signal: AbortSignal): Promise<WorkingTree | null> {
  const inFolder = (args: readonly string[]) => gitBytes(places, { args: ['-C', folder, ...args], signal })
  const line = (args: readonly string[]) =>
    inFolder(args).then(
      (bytes) => bytes.toString('utf8').trim() || null,
      () => {
        signal.throwIfAborted()
        return null
      },
    )
  const top = await line(['rev-parse', '--show-toplevel'])
  if (top === null || !isWithin(top, fs.realpathSync(folder))) return null // its settings name another folder
  const inTop = async (args: readonly string[]) => split(await gitBytes(places, { args: ['-C', top, ...args], signal }))
  const head = await line(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  const branch = await line(['symbolic-ref', '--quiet', '--short', 'HEAD'])
  const staged = await inTop(['ls-files', '-z', '--stage'])
  const others = await inTop(['ls-files', '-z', '--others', '--exclude-standard'])
  const tracked = staged.map((entry) => ({ mode: entry.slice(0, 6), name: entry.slice(entry.indexOf('\t') + 1) }))
  const submodules = [...new Set([...tracked.filter(({ mode }) => mode === '160000').map(({ name }) => name), ...others.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1))])] // prettier-ignore
  const names = [...new Set([...tracked.filter(({ mode }) => mode !== '160000').map(({ name }) => name), ...others.filter((name) => !name.endsWith('/'))])] // prettier-ignore
  const files = names.filter((name) => isFile(path.join(top, name)))
  const uncommitted = head === null ? files.length : others.length + (await changedSince(places, { top, head, inFolder, signal }))
  return { top, head, branch, files: files.toSorted(), uncommitted, submodules }
}

interface CompareInput {
  top: string
  head: string
  inFolder: (args: readonly string[]) => Promise<Buffer>
  signal: AbortSignal
}

/** Uses a repository with the same objects but without settings, because otherwise git would run filters to compare files. */
async function changedSince(places: GitPlaces, { top, head, inFolder, signal }: CompareInput): Promise<number> {
  const paths = (await inFolder(['rev-parse', '--path-format=absolute', '--git-path', 'objects', '--git-path', 'index'])).toString('utf8')
  const [objects = '', index = ''] = paths.trim().split('\n')
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-git-'))
  try {
    emptyRepository(scratch)
    const env = { GIT_OBJECT_DIRECTORY: objects, GIT_INDEX_FILE: index }
    const changedPaths = async (args: readonly string[]) =>
      split(await gitBytes(places, { args: [`--git-dir=${scratch}`, `--work-tree=${top}`, ...args], env, signal }))
    const staged = await changedPaths(['diff-index', '-z', '--cached', '--name-only', '--ignore-submodules', head])
    const edited = await changedPaths(['-C', top, 'diff-files', '-z', '--name-only', '--ignore-submodules'])
    return new Set([...staged, ...edited]).size
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true })
  }
}

/** Creates the files that git requires in a bare repository, without settings. */
export function emptyRepository(folder: string): void {
  for (const name of ['refs', 'objects']) fs.mkdirSync(path.join(folder, name), { recursive: true })
  fs.writeFileSync(path.join(folder, 'HEAD'), 'ref: refs/heads/none\n')
}

const split = (bytes: Buffer): string[] => bytes.toString('utf8').split('\0').filter(Boolean)

function isFile(place: string): boolean {
  const stat = fs.lstatSync(place, { throwIfNoEntry: false })
  return stat !== undefined && (stat.isFile() || stat.isSymbolicLink())
}
