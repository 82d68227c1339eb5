import type { TreeEntry } from '#server/adapters/git/tree-entry.ts'
import { type Found, type Mark, sameMark } from './tree/found.ts'

/** A path of the change: its entry at the start and the end of the run. Null if it does not exist then. */
export interface Target {
  path: string
  start: TreeEntry | null
  end: TreeEntry | null
  /** What the run renamed to this path; another target removes it. */
  from?: { path: string; start: TreeEntry }
  /** The path to which the run renamed it. */
  to?: string
}

/** What to do with a path. `merge`: merge the lines of the three versions. */
export type Verdict =
  | { do: 'nothing' }
  | { do: 'put'; mark: Mark }
  | { do: 'remove' }
  | { do: 'merge'; start: string; ours: string; end: string; isExecutable: boolean }
  | { do: 'refuse'; why: string }

const SUBMODULE = '160000'

export const markOf = ({ mode, oid }: TreeEntry): Mark => ({
  type: mode === '120000' ? 'link' : 'file',
  oid,
  isExecutable: mode === '100755',
})
export const entryOf = ({ type, oid, isExecutable }: Mark): TreeEntry => ({
  mode: type === 'link' ? '120000' : isExecutable ? '100755' : '100644',
  oid,
})
export function foundIn(tree: ReadonlyMap<string, TreeEntry>, path: string): Found {
  const entry = tree.get(path)
  if (entry === undefined) return { kind: 'none' }
  return entry.mode === SUBMODULE ? { kind: 'submodule' } : { kind: 'mark', mark: markOf(entry), mode: 0 }
}

/** How error messages describe a difference on one side. */
export interface Words {
  other: string
  removed: string
  changed: string
}
export const FOLDER: Words = { other: 'your folder has another file there', removed: 'you have removed it', changed: 'you have changed it' }
export const COMMIT: Words = {
  other: 'the branch has another file there',
  removed: 'the branch does not have it: it was removed since, or never committed',
  changed: 'the branch has another version of it',
}
export const STAGED: Words = {
  other: 'you have staged another file there',
  removed: 'you have staged its removal',
  changed: 'you have staged a change of it',
}

/** Decides a three-way merge for one path; the common base is the start of the run. */
export function decide({ start, end, from, to }: Target, found: Found, words: Words): Verdict {
  const refuse = (why: string): Verdict => ({ do: 'refuse', why })
  if (start?.mode === SUBMODULE || end?.mode === SUBMODULE)
    return refuse('it is a submodule whose commit is in none of your repositories, so hand it back from the submodule itself')
  const [base, theirs] = [start && markOf(start), end && markOf(end)]
  if (found.kind === 'unreadable') return refuse(found.why)
  if (found.kind === 'submodule') return refuse('it is a submodule in your repository')
  if (found.kind === 'other') return refuse('it is neither a file nor a link in your folder')
  if (found.kind === 'folder' && base !== null) return refuse('it is a folder in your repository')
  const ours = found.kind === 'mark' ? found.mark : null
  if (sameMark(ours, theirs)) return { do: 'nothing' }
  if (sameMark(ours, base)) return theirs === null ? { do: 'remove' } : { do: 'put', mark: theirs }
  if (base === null) return refuse(`the run ${from ? `renamed ${from.path} to it` : 'added it'}, and ${words.other}`)
  if (ours === null) return refuse(`the run changed it, and ${words.removed}`)
  if (theirs === null) return refuse(`the run ${to === undefined ? 'removed it' : `renamed it to ${to}`}, and ${words.changed}`)
  if (ours.type !== 'file' || base.type !== 'file' || theirs.type !== 'file')
    return refuse(`the run changed it, ${words.changed}, and it is not a file on all sides`)
  const isExecutable = ours.isExecutable === base.isExecutable ? theirs.isExecutable : ours.isExecutable
  if (theirs.oid === base.oid || ours.oid === theirs.oid)
    return ours.isExecutable === isExecutable ? { do: 'nothing' } : { do: 'put', mark: { ...ours, isExecutable } }
  if (ours.oid === base.oid) return { do: 'put', mark: { ...theirs, isExecutable } }
  return { do: 'merge', start: base.oid, ours: ours.oid, end: theirs.oid, isExecutable }
}
