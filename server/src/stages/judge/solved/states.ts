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

/** A part of a change that can be undone. */
export interface Undoing {
  /** Such as `sum.js: lines 3–5`. */
  label: string
  file: string
  /** The file without this part; null: without the file. */
  content: StoredFile | null
}

const MAX_UNDONE = 8
const NO_LIMIT = () => Infinity

/** Single hunks of the work of a change, or nothing if it has only one. */
export async function undoings(states: States, from: string, to: string, files: readonly ChangedFile[]): Promise<Undoing[]> {
  const { git, gitDir, signal } = states
  const entries = files.map(({ name, before, after }): ChangedEntry => ({
    path: name,
    from: null,
    before: before && { mode: before.mode, oid: '' },
    after: after && { mode: after.mode, oid: '' },
  }))
  const lines = readPatch(await git.files.patch(gitDir, from, to, signal), entries, NO_LIMIT)
  const all = files.flatMap(({ name, kind, before, after }, at): Undoing[] => {
    if (kind !== null || after === null || after.mode === '120000') return []
    if (before === null) return [{ label: `${name}: the whole file`, file: name, content: null }]
    const { hunks, isBinary } = lines[at]!
    if (isBinary || before.mode === '120000') return [{ label: `${name}: the whole file`, file: name, content: before }]
    return hunks.map((hunk) => {
      const first = hunk.after.line
      const end = first + Math.max(hunk.after.count, 1) - 1
      const rest = hunks.filter((one) => one !== hunk)
      return { label: `${name}: lines ${first}–${end}`, file: name, content: { ...after, content: withHunks(before.content, rest) } }
    })
  })
  return all.length < 2 ? [] : all.slice(0, MAX_UNDONE)
}
