/** The entry for one path in a tree or an index of git. */
export interface TreeEntry {
  /** 100644, 100755, 120000 (link) or 160000 (submodule). */
  mode: string
  oid: string
}

/** A path that differs between two commits. */
export interface ChangedEntry {
  path: string
  /** The previous path of a renamed file; otherwise null. */
  from: string | null
  before: TreeEntry | null
  after: TreeEntry | null
}

const NO_MODE = '000000'
const TREE_LINE = /^(\d{6}) \S+ ([0-9a-f]+)\t(.*)$/s
const INDEX_LINE = /^(\d{6}) ([0-9a-f]+) (\d)\t(.*)$/s
const RAW_LINE = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])/

/** Parses the output of `ls-tree -r -z`. */
export function readTree(bytes: Buffer): Map<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>()
  for (const line of namesOf(bytes)) {
    const [, mode, oid, path] = TREE_LINE.exec(line) ?? []
    if (path !== undefined) entries.set(path, { mode: mode!, oid: oid! })
  }
  return entries
}

/** Parses the output of `ls-files --stage -z`. `unmerged`: paths with a merge conflict. */
export function readIndex(bytes: Buffer): { entries: Map<string, TreeEntry>; unmerged: Set<string> } {
  const entries = new Map<string, TreeEntry>()
  const unmerged = new Set<string>()
  for (const line of namesOf(bytes)) {
    const [, mode, oid, stage, path] = INDEX_LINE.exec(line) ?? []
    if (path === undefined) continue
    if (stage === '0') entries.set(path, { mode: mode!, oid: oid! })
    else unmerged.add(path)
  }
  return { entries, unmerged }
}

/** Parses the output of `diff-tree -r -z --raw`. */
export function readChanged(bytes: Buffer): ChangedEntry[] {
  const parts = namesOf(bytes)
  const entries: ChangedEntry[] = []
  for (let at = 0; at < parts.length;) {
    const [, modeBefore, modeAfter, before, after, status] = RAW_LINE.exec(parts[at]!) ?? []
    if (status === undefined) throw new Error(`git diff-tree printed ${JSON.stringify(parts[at]!.slice(0, 100))}`)
    const isRename = status === 'R'
    const from = isRename ? parts[at + 1]! : null
    const path = parts[at + (isRename ? 2 : 1)]!
    const entry = (mode: string, oid: string) => (mode === NO_MODE ? null : { mode, oid })
    entries.push({ path, from, before: entry(modeBefore!, before!), after: entry(modeAfter!, after!) })
    at += isRename ? 3 : 2
  }
  return entries
}

const namesOf = (bytes: Buffer): string[] => bytes.toString('utf8').split('\0').slice(0, -1)
