import { hash } from 'node:crypto'
import type { Git } from '#server/adapters/git/index.ts'
import type { ChangedEntry } from '#server/adapters/git/tree-entry.ts'
import { inForeign } from '#server/foreign/index.ts'
import { readPatch, withHunks } from '../../agents/index.ts'
import { checkKindOf } from '../../checks/index.ts'

type StoredFile = Parameters<Git['files']['store']>[2] extends AsyncIterable<infer One> | Iterable<unknown> ? One : never

/** Our repository with the states of an exam's tasks. */
export interface States {
  git: Git
  gitDir: string
  signal: AbortSignal
}

/** A file that differs between two states. */
export interface ChangedFile {
  name: string
  /** Whether it belongs to the checks. */
  kind: ReturnType<typeof checkKindOf>
  before: StoredFile | null
  after: StoredFile | null
}

/** Stores all files of a folder as a commit. */
export async function storeFolder({ git, gitDir, signal }: States, name: string, folder: string): Promise<string> {
  const names: string[] = []
  await inForeign(folder, async (opened) => {
    for await (const { name: file, kind } of opened.walk()) if (kind === 'file' || kind === 'link') names.push(file)
  })
  const unread: string[] = []
  const files = git.files.readPlain(folder, names.toSorted(), ({ name: file }) => void unread.push(file))
  const commit = await git.files.store(gitDir, name, files, signal)
  if (unread.length > 0) throw new Error(`${unread[0]} could not be read.`)
  return commit
}

/** The files that differ, in the order of git. */
export async function changedFiles({ git, gitDir, signal }: States, from: string, to: string): Promise<ChangedFile[]> {
  const keyOf = ({ mode, content }: StoredFile) => `${mode} ${hash('sha256', content)}`
  const keys = new Map<string, string>()
  for await (const file of git.files.of(gitDir, from, signal)) keys.set(file.name, keyOf(file))
  const changed = new Map<string, ChangedFile>()
  const add = (name: string, after: StoredFile | null) => changed.set(name, { name, kind: checkKindOf(name), before: null, after })
  const names = new Set(keys.keys())
  for await (const file of git.files.of(gitDir, to, signal)) {
    names.delete(file.name)
    if (keys.get(file.name) !== keyOf(file)) add(file.name, file)
  }
  for (const name of names) add(name, null)
  for await (const file of git.files.of(gitDir, from, signal)) {
    const one = changed.get(file.name)
    if (one) one.before = file
  }
  return [...changed.values()].toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
}

/** A state with some files replaced; null: without the file. */
export const storeChanged = (
  { git, gitDir, signal }: States,
  name: string,
  of: string,
  changes: ReadonlyMap<string, StoredFile | null>,
): Promise<string> => {
  async function* files(): AsyncGenerator<StoredFile> {
    const left = new Map(changes)
    for await (const file of git.files.of(gitDir, of, signal)) {
      const changed = left.get(file.name)
      left.delete(file.name)
      if (changed === undefined) yield file
      else if (changed !== null) yield changed
    }
    for (const file of left.values()) if (file !== null) yield file
  }
  return git.files.store(gitDir, name, files(), signal)
}

/** Parts of a change that are undone together. */
export interface Undoing {
  /** Such as `sum.js: lines 3–5`. */
  label: string
  /** The files without these parts; null: without the file. */
  files: Map<string, StoredFile | null>
}

interface Part {
  label: string
  file: ChangedFile
  /** Null: the whole file. */
  hunk: Hunk | null
  /** All of the file. */
  hunks: readonly Hunk[]
}
type Hunk = ReturnType<typeof readPatch>[number]['hunks'][number]

/** Of so many parts each is undone by itself; sets of more than one fill up what is left. */
const [MAX_SINGLE, MAX_UNDONE] = [5, 8]
const NO_LIMIT = () => Infinity

/** Parts of the work of a change, each by itself and neighbours together, the fewest first. Nothing if it has only one part. */
export async function undoings(states: States, from: string, to: string, files: readonly ChangedFile[]): Promise<Undoing[]> {
  const { git, gitDir, signal } = states
  const entries = files.map(({ name, before, after }): ChangedEntry => ({
    path: name,
    from: null,
    before: before && { mode: before.mode, oid: '' },
    after: after && { mode: after.mode, oid: '' },
  }))
  const lines = readPatch(await git.files.patch(gitDir, from, to, signal), entries, NO_LIMIT)
  const parts = files.flatMap((file, at): Part[] => {
    const { name, kind, before, after } = file
    const { hunks, isBinary } = lines[at]!
    if (kind !== null || after === null || after.mode === '120000') return []
    if (before === null || isBinary || before.mode === '120000') return [{ label: `${name}: the whole file`, file, hunk: null, hunks }]
    return hunks.map((hunk) => {
      const first = hunk.after.line
      const end = first + Math.max(hunk.after.count, 1) - 1
      return { label: `${name}: lines ${first}–${end}`, file, hunk, hunks }
    })
  })
  const sizes = Array.from({ length: Math.max(0, parts.length - 1) }, (_, at) => at + 1)
  const sets = sizes.flatMap((size) => {
    const all = Array.from({ length: parts.length - size + 1 }, (_, at) => parts.slice(at, at + size))
    return size === 1 ? all.slice(0, MAX_SINGLE) : all
  })
  return sets.slice(0, MAX_UNDONE).map((set) => ({ label: labelOf(set), files: without(set) }))
}

const labelOf = (parts: readonly Part[]): string =>
  `${parts.length === 1 ? '' : `${parts.length} parts: `}${parts.map(({ label }) => label).join(', ')}`

/** The changed files without these parts. */
const without = (parts: readonly Part[]): Undoing['files'] =>
  new Map(
    [...Map.groupBy(parts, ({ file }) => file)].map(([{ name, before, after }, ofFile]) => {
      if (before === null || after === null || ofFile.some(({ hunk }) => hunk === null)) return [name, before]
      const [all = []] = ofFile.map(({ hunks }) => hunks)
      const rest = all.filter((hunk) => ofFile.every((part) => part.hunk !== hunk))
      return [name, { ...after, content: withHunks(before.content, rest) }]
    }),
  )
