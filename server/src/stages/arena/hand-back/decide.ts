import type { TreeEntry } from '#server/adapters/git/tree-entry.ts'
import { type Found, type Mark, sameMark } from './tree/found.ts'

/** A path of the change: as it was when the run began, and as it left it. Null: it is not there. */
export interface Target {
  path: string
  start: TreeEntry | null
  end: TreeEntry | null
}

/** What becomes of a path. `merge`: its lines, with these bits at the end. */
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

/** Words for a side that differs. */
export interface Words {
  other: string
  gone: string
  changed: string
}
export const FOLDER: Words = { other: 'your folder has another file there', gone: 'you have removed it', changed: 'you have changed it' }
export const COMMIT: Words = {
  other: 'the branch has another file there',
  gone: 'the branch does not have it: it was removed since, or never committed',
  changed: 'the branch has another version of it',
}
export const STAGED: Words = {
  other: 'you have staged another file there',
  gone: 'you have staged its removal',
  changed: 'you have staged a change of it',
}

/** Three-way, for one path: what both sides have in common is the start of the run. */
export function decide({ start, end }: Target, found: Found, words: Words): Verdict {
  const refuse = (why: string): Verdict => ({ do: 'refuse', why })
  if (start?.mode === SUBMODULE || end?.mode === SUBMODULE)
    return refuse('it is a submodule: its commit is in no repository of yours, so hand it back from the submodule itself')
  const [before, after] = [start && markOf(start), end && markOf(end)]
  if (found.kind === 'unreadable') return refuse(found.why)
  if (found.kind === 'submodule') return refuse('it is a submodule in your repository')
  if (found.kind === 'other') return refuse('it is neither a file nor a link in your folder')
  if (found.kind === 'folder' && before !== null) return refuse('it is a folder in your repository')
  const ours = found.kind === 'mark' ? found.mark : null
  if (sameMark(ours, after)) return { do: 'nothing' }
  if (sameMark(ours, before)) return after === null ? { do: 'remove' } : { do: 'put', mark: after }
  if (before === null) return refuse(`the run added it, and ${words.other}`)
  if (ours === null) return refuse(`the run changed it, and ${words.gone}`)
  if (after === null) return refuse(`the run removed it, and ${words.changed}`)
  if (ours.type !== 'file' || before.type !== 'file' || after.type !== 'file')
    return refuse(`the run changed it, ${words.changed}, and it is not a file on all sides`)
  const isExecutable = ours.isExecutable === before.isExecutable ? after.isExecutable : ours.isExecutable
  if (after.oid === before.oid || ours.oid === after.oid)
    return ours.isExecutable === isExecutable ? { do: 'nothing' } : { do: 'put', mark: { ...ours, isExecutable } }
  if (ours.oid === before.oid) return { do: 'put', mark: { ...after, isExecutable } }
  return { do: 'merge', start: before.oid, ours: ours.oid, end: after.oid, isExecutable }
}
