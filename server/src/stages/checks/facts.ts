import { ForeignFileError, type ForeignFolder, inJudged } from '#server/foreign/index.ts'

/** What is known about a project before anything runs. */
export interface ProjectFacts {
  /** Sorted paths of its files, without folders of installed or generated files. */
  files: readonly string[]
  /** Folders that have installed packages of Node; '' for the project itself. */
  installed: ReadonlySet<string>
  /** The text of a file; null if it is not a regular file, is too large, or is reached through a link. */
  read: (name: string) => Promise<string | null>
}

/** Names of folders with a virtual environment of Python. Any folder with this file is one. */
export const ENVIRONMENTS = ['.venv', 'venv', 'env'] as const
const ENVIRONMENT_FILE = 'pyvenv.cfg'
/** Folders of installed packages, build results and tool data. */
const IGNORED_FOLDERS = new Set(['.git', 'node_modules', '.venv', 'venv', 'target', 'dist', 'build', '__pycache__', '.tox', 'vendor'])
const MAX_FILES = 20_000
const MAX_ENTRIES = 200_000
const MAX_BYTES = 1024 * 1024

export async function readFacts(root: string): Promise<ProjectFacts> {
  const files: string[] = []
  const installed = new Set<string>()
  await inJudged(root, async (folder) => {
    const isEntered = (name: string) => {
      const last = name.slice(name.lastIndexOf('/') + 1)
      if (last === 'node_modules') installed.add(name.slice(0, -last.length).replace(/\/$/, ''))
      return !IGNORED_FOLDERS.has(last)
    }
    for await (const { name, kind } of entriesOf(folder, isEntered)) {
      if (kind === 'file') files.push(name)
      if (files.length >= MAX_FILES) break
    }
  })
  return { files: files.toSorted(), installed, read: (name) => readTextIn(root, name, MAX_BYTES) }
}

/** The text of a file of a project; null if there is no such regular file of at most this size. */
export const readTextIn = (root: string, name: string, limitBytes: number): Promise<string | null> =>
  inJudged(root, (folder) => folder.textOrNull(name, limitBytes))

/** Which folders directly in a project, or in a folder of it, are virtual environments, as paths in the project. Links are not followed. */
export const environmentsOf = (root: string, below = ''): Promise<string[]> =>
  inJudged(root, async (folder) => {
    const isOne = async (name: string) =>
      (await folder.find(name))?.kind === 'folder' &&
      (!/(?:^|\/)env$/.test(name) || (await folder.find(`${name}/${ENVIRONMENT_FILE}`))?.kind === 'file')
    const found = await Promise.all(
      ENVIRONMENTS.map((name) => (below === '' ? name : `${below}/${name}`)).map(async (name) => ((await isOne(name)) ? [name] : [])),
    )
    return found.flat()
  })

/** What is below a folder, as far as it can be read, and at most as much as a project has. `isEntered`: whether a folder is searched. */
export async function* entriesOf(
  folder: ForeignFolder,
  isEntered: (name: string) => boolean,
): AsyncGenerator<{ name: string; kind: 'file' | 'link' | 'other' }> {
  const waiting = ['']
  let remaining = MAX_ENTRIES
  for (let inner = waiting.pop(); inner !== undefined && remaining > 0; inner = waiting.pop()) {
    const found = await folder.list(inner, remaining).catch((error: unknown) => {
      if (error instanceof ForeignFileError && inner !== '') return [] // removed in the meantime, or not readable
      throw error
    })
    remaining -= found.length
    if (inner !== '' && found.some(({ name, kind }) => kind === 'file' && name === `${inner}/${ENVIRONMENT_FILE}`)) continue
    for (const { name, kind } of found) {
      if (kind !== 'folder') yield { name, kind }
      else if (isEntered(name)) waiting.push(name)
    }
  }
}
