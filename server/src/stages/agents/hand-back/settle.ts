import fs from 'node:fs'
import path from 'node:path'
import type { Changes } from '#server/adapters/git/changes.ts'
import type { TreeEntry } from '#server/adapters/git/tree-entry.ts'
import type { Contents } from './contents.ts'
import { decide, markOf, type Target, type Verdict, type Words } from './decide.ts'
import { type Found, type Mark, sameMark } from './tree/found.ts'
import type { Conflict, Wanted } from './tree/refusals.ts'

/** What a change is merged into: a folder, a commit or an index. */
export interface Side {
  foundAt: (path: string) => Found
  /** Loads content of this side for a merge; false if it has changed in the meantime. */
  load: (path: string, oid: string) => Promise<boolean>
  words: Words
  /** Whether text has git's line ends here, whatever the working tree has. */
  hasPlainLineEnds: boolean
  /** Whether the change of a renamed file is merged into another version of it. */
  followsRenames: boolean
}

export interface MergeDeps {
  changes: Pick<Changes, 'mergeText'>
  contents: Contents
  scratch: string
}

/** Computes the result for each path on a side, or why there is a conflict. */
export async function settle(
  targets: readonly Target[],
  side: Side,
  deps: MergeDeps,
): Promise<{ wanted: Wanted[]; conflicts: Conflict[] }> {
  const wanted: Wanted[] = []
  const conflicts: Conflict[] = []
  const moves = targets.flatMap((target) => moveOf(target, side) ?? [])
  const moved = new Set(moves.flatMap(({ path: file, source }) => [file, source.path]))
  for (const target of targets) {
    if (moved.has(target.path)) continue
    const found = side.foundAt(target.path)
    const before = found.kind === 'mark' ? found.mark : null
    const after = await outcome(target, before, decide(target, found, side.words), side, deps)
    if (typeof after === 'string') conflicts.push({ path: target.path, reason: after })
    else if (after !== undefined && !sameMark(before, after)) wanted.push({ path: target.path, before, after })
  }
  for (const { path: file, source, before } of moves) {
    const after = await outcome(source, before, decide(source, side.foundAt(source.path), side.words), side, deps)
    if (typeof after === 'string') conflicts.push({ path: file, reason: after })
    else wanted.push({ path: source.path, before, after: null }, { path: file, before: null, after: after ?? before })
  }
  return { wanted, conflicts }
}

interface Move {
  path: string
  /** The renamed path, with the change of the run. */
  source: Target
  /** The version of it on this side. */
  before: Mark
}

/** A rename of a file that this side has in another version; null if the two paths are settled each for itself. */
function moveOf({ path: file, end, from }: Target, side: Side): Move | null {
  if (!side.followsRenames || from === undefined || side.foundAt(file).kind !== 'none') return null
  const found = side.foundAt(from.path)
  if (found.kind !== 'mark' || sameMark(found.mark, markOf(from.start))) return null
  return { path: file, source: { path: from.path, start: from.start, end }, before: found.mark }
}

/** The resulting mark; undefined if nothing changes; a text if there is a conflict. */
async function outcome(
  { path: file }: Target,
  before: Mark | null,
  verdict: Verdict,
  side: Side,
  { changes, contents, scratch }: MergeDeps,
): Promise<Mark | null | undefined | string> {
  if (verdict.do === 'nothing') return undefined
  if (verdict.do === 'refuse') return verdict.why
  if (verdict.do === 'remove') return null
  if (verdict.do === 'put') {
    const isOwn = before !== null && verdict.mark.oid === before.oid
    return isOwn && !(await side.load(file, before.oid)) ? 'it was just changed; try again' : verdict.mark
  }
  if (!(await side.load(file, verdict.ours))) return 'it was just changed; try again'
  const [ours, base, theirs] = await Promise.all([verdict.ours, verdict.start, verdict.end].map((oid) => contents.read(oid)))
  const isPlain = side.hasPlainLineEnds && !ours!.includes('\r\n') && base!.includes('\r\n')
  const files = { ours: path.join(scratch, 'ours'), base: path.join(scratch, 'base'), theirs: path.join(scratch, 'theirs') }
  await fs.promises.writeFile(files.ours, ours!)
  await fs.promises.writeFile(files.base, isPlain ? withPlainEnds(base!) : base!)
  await fs.promises.writeFile(files.theirs, isPlain ? withPlainEnds(theirs!) : theirs!)
  const merged = await changes.mergeText(files)
  if (merged === null) return `the run changed it, ${side.words.changed}, and the two changes conflict`
  return { type: 'file', oid: await contents.add(merged), isExecutable: verdict.isExecutable }
}

const withPlainEnds = (bytes: Buffer): Buffer => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')

/** A tree cannot have a file and a folder of one name. */
export function foldersInTheWay(tree: ReadonlyMap<string, TreeEntry>, wanted: readonly Wanted[], words: Pick<Words, 'other'>): Conflict[] {
  const removed = new Set(wanted.filter(({ after }) => after === null).map(({ path: file }) => file))
  const folders = new Set<string>()
  for (const file of tree.keys()) if (!removed.has(file)) for (const folder of parentFolders(file)) folders.add(folder)
  return wanted.flatMap(({ path: file, after }) => {
    const isBlocked =
      after !== null && (folders.has(file) || parentFolders(file).some((folder) => tree.has(folder) && !removed.has(folder)))
    return isBlocked ? [{ path: file, reason: `a folder and a file would have the same name: ${words.other}` }] : []
  })
}

function parentFolders(file: string): string[] {
  const found: string[] = []
  for (let folder = path.posix.dirname(file); folder !== '.'; folder = path.posix.dirname(folder)) found.push(folder)
  return found
}
