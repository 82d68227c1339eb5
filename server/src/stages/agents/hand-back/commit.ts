import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import type { CommitPair } from '#server/adapters/git/changes.ts'
import {
  BASH_GYM,
  type EntryChange,
  type GitPlace,
  type Identity,
  type RepositoryState,
  type UserRepositories,
} from '#server/adapters/git/user-repository.ts'
import type { TreeEntry } from '#server/adapters/git/tree-entry.ts'
import type { BlobReader } from './contents.ts'
import { COMMIT, entryOf, foundIn, markOf, STAGED, type Target } from './decide.ts'
import { refuse } from './refuse.ts'
import { foldersInTheWay, type MergeDeps, settle, type Side } from './settle.ts'
import type { Mark } from './tree/found.ts'
import type { Conflict, Wanted } from './tree/refusals.ts'
import { whyNotName } from './tree/names.ts'

export interface CommitDeps extends MergeDeps {
  repositories: UserRepositories
  signal: AbortSignal
}

export interface CommitPlan {
  targets: readonly Target[]
  root: string
  state: RepositoryState
  /** The parent commit; null if there is none yet. */
  base: string | null
  message: string
}

export type Committed = { conflicts: Conflict[] } | { conflicts: null; commit: string; files: number; committed: Target[] }

/** Creates a commit of the change that no ref points to yet. The user's staged changes are not part of it. */
export async function makeCommit({ targets, root, state, base, message }: CommitPlan, deps: CommitDeps): Promise<Committed> {
  const { repositories, scratch, signal } = deps
  const by = await requireIdentity(repositories, root, signal)
  const tree = base === null ? new Map<string, TreeEntry>() : await repositories.tree({ folder: root }, base, signal)
  const { wanted, conflicts } = await settle(targets, sideOf(tree, COMMIT, root, deps), deps)
  const filters = await repositories.filtered(
    root,
    wanted.map(({ path: file }) => file),
    signal,
  )
  conflicts.push(
    ...foldersInTheWay(tree, wanted, COMMIT),
    ...wanted.flatMap(({ path: file }) => {
      const reason = whyNotName(file) ?? (filters.has(file) ? `your repository stores it through the filter "${filters.get(file)}", which Bash Gym does not run; apply the change and commit it yourself` : null) // prettier-ignore
      return reason === null ? [] : [{ path: file, reason }]
    }),
  )
  if (conflicts.length > 0) return { conflicts }
  if (wanted.length === 0)
    throw new AppError('hand_back_conflict', { message: 'There is nothing to commit: the branch already has this change.' })
  await storeBlobs(idsOf(wanted), { folder: root }, deps)
  const changes = wanted.map(({ path: file, after }) => ({ path: file, entry: after && entryOf(after) }))
  const commit = await repositories.commit({ folder: root }, state.prefix, { base, changes, message, by, scratch }, signal)
  const startOf = (file: string) => tree.get(file) ?? null
  const sources = new Map(targets.map(({ path: file, from }) => [file, from?.path]))
  const committed = changes.map(({ path: file, entry }): Target => {
    const source = sources.get(file)
    const start = source === undefined ? null : startOf(source)
    return { path: file, start: startOf(file), end: entry, ...(source !== undefined && start && { from: { path: source, start } }) }
  })
  return { conflicts: null, commit, files: wanted.length, committed }
}

/** The index entries after the commit. Staged changes of other paths are kept, and those of the same paths if they can be merged. */
export async function planIndex(
  root: string,
  { committed }: { committed: readonly Target[] },
  deps: CommitDeps,
): Promise<{ conflicts: Conflict[]; before: EntryChange[]; after: EntryChange[] }> {
  const { entries, unmerged } = await deps.repositories.index(root, deps.signal)
  const blocked = committed.filter(({ path: file }) => unmerged.has(file))
  await deps.contents.load(
    blobsOf(root, deps),
    committed.flatMap(({ start, end, from }) => {
      const base = from?.start ?? start
      return base && end ? [base.oid, end.oid] : []
    }),
  )
  const { wanted, conflicts } = await settle(committed, sideOf(entries, STAGED, root, deps), deps)
  conflicts.push(
    ...foldersInTheWay(entries, wanted, STAGED),
    ...blocked.map(({ path: file }) => ({ path: file, reason: 'it has an unfinished merge in your repository' })),
  )
  if (conflicts.length > 0) return { conflicts, before: [], after: [] }
  await storeBlobs(idsOf(wanted), { folder: root }, deps)
  const entry = (mark: Mark | null) => mark && entryOf(mark)
  return {
    conflicts: [],
    before: wanted.map(({ path: file, before }) => ({ path: file, entry: entry(before) })),
    after: wanted.map(({ path: file, after }) => ({ path: file, entry: entry(after) })),
  }
}

const sideOf = (entries: ReadonlyMap<string, TreeEntry>, words: Side['words'], root: string, deps: CommitDeps): Side => ({
  foundAt: (file) => foundIn(entries, file),
  async load(_, oid) {
    await deps.contents.load(blobsOf(root, deps), [oid])
    return true
  },
  words,
  hasPlainLineEnds: true,
  followsRenames: true,
})

/** Reads blobs of the user's repository. */
const blobsOf =
  (root: string, { repositories, signal }: Pick<CommitDeps, 'repositories' | 'signal'>): BlobReader =>
  (oids, file) =>
    repositories.blobs(root, oids, file, signal)

const idsOf = (wanted: readonly Wanted[]): string[] => wanted.flatMap(({ after }) => (after === null ? [] : [after.oid]))

/** Commits a part of a change in the run's own repository, without a ref. Returns the id of the commit. */
export async function commitPart(
  { gitDir, start }: Pick<CommitPair, 'gitDir' | 'start'>,
  targets: readonly Target[],
  deps: Omit<CommitDeps, 'changes'>,
): Promise<string> {
  const wanted = targets.map(({ path: file, start: before, end }) => ({ path: file, before: before && markOf(before), after: end && markOf(end) })) // prettier-ignore
  refuse(foldersInTheWay(await deps.repositories.tree({ gitDir }, start, deps.signal), wanted, { other: 'take both, or neither' }))
  const changes = targets.map(({ path: file, end }) => ({ path: file, entry: end }))
  await storeBlobs(changes.flatMap(({ entry }) => (entry === null ? [] : [entry.oid])), { gitDir }, deps) // prettier-ignore
  const commit = { base: start, changes, message: 'A part of the change', by: BASH_GYM, scratch: deps.scratch }
  return deps.repositories.commit({ gitDir }, '', commit, deps.signal)
}

/** Stores those of these blobs that have contents here, unchanged, as objects of a repository. */
async function storeBlobs(
  ids: readonly string[],
  place: GitPlace,
  { repositories, contents, scratch, signal }: Omit<CommitDeps, 'changes'>,
): Promise<void> {
  const folder = path.join(scratch, 'objects')
  await fs.promises.mkdir(folder, { recursive: true })
  const oids = [...new Set(ids)].filter((oid) => contents.has(oid))
  const files = oids.map((oid) => path.join(folder, oid))
  for (const [index, oid] of oids.entries()) await fs.promises.writeFile(files[index]!, await contents.read(oid))
  const stored = await repositories.store(place, files, signal)
  if (stored.join() !== oids.join())
    throw new Error(`git stored different contents than expected in ${'folder' in place ? place.folder : place.gitDir}`)
}

async function requireIdentity(repositories: UserRepositories, root: string, signal: AbortSignal): Promise<Identity> {
  const by = await repositories.identity(root, signal)
  if (by === null)
    throw new AppError('invalid_request', {
      message: 'git does not know the author of the commit.',
      hint: 'Set your name with `git config --global user.name` and `user.email`, or apply the change without a commit.',
    })
  return by
}
