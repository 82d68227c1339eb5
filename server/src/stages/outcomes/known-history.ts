import type { History, HistoryCommit } from '#server/adapters/git/index.ts'

type Condition = (commit: HistoryCommit) => boolean

export type KnownHistory = ReturnType<typeof knownHistory>

/** `git revert` writes at least so much of a hash. */
const SHORTEST = 7

/** A history that is asked about many commits: each answer by a look-up, whatever its length. The newest commit that fits is found. */
export function knownHistory({ reachable, asked, isWhole }: History) {
  const order = new Map(reachable.map((commit, at) => [commit.hash, at]))
  const byWork = new Map<string, HistoryCommit>()
  const reverts = new Map<string, { name: string; commit: HistoryCommit }[]>()
  const fixes = new Map<string, HistoryCommit[]>()
  for (const commit of reachable) {
    const work = workOf(commit)
    if (!byWork.has(work)) byWork.set(work, commit)
    for (const name of revertedIn(commit.body)) add(reverts, name.slice(0, SHORTEST), { name, commit })
    if (isFix(commit)) for (const file of commit.files) add(fixes, file, commit)
  }
  const newest = (commits: readonly HistoryCommit[]): HistoryCommit | null =>
    commits.reduce<HistoryCommit | null>((best, one) => (best === null || order.get(one.hash)! < order.get(best.hash)! ? one : best), null)

  return {
    isWhole,
    /** Null if the repository does not have it. */
    asked: (name: string): HistoryCommit | null => asked.get(name) ?? null,
    /** The commit itself, or what a rebase, an amend or a cherry-pick made of it: it keeps the author's time and the subject. */
    stayed: (commit: HistoryCommit): HistoryCommit | null => reachable[order.get(commit.hash) ?? -1] ?? byWork.get(workOf(commit)) ?? null,
    reverting: (hashes: readonly string[], isMeant: Condition): HistoryCommit | null =>
      newest(
        hashes.flatMap((hash) =>
          (reverts.get(hash.slice(0, SHORTEST)) ?? []).flatMap(({ name, commit }) =>
            hash.startsWith(name) && isMeant(commit) ? commit : [],
          ),
        ),
      ),
    fixing: (files: readonly string[], isMeant: Condition): HistoryCommit | null =>
      newest(files.flatMap((file) => fixes.get(file)?.find(isMeant) ?? [])),
  }
}

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}

const workOf = ({ authoredAt, subject }: HistoryCommit): string => `${authoredAt} ${subject}`

/** The hashes in the lines that `git revert` writes. */
const revertedIn = (body: string): string[] => [...body.matchAll(/^This reverts commit ([0-9a-f]{7,40})/gm)].map(([, hash]) => hash!)

const isFix = ({ subject }: HistoryCommit): boolean => /^(?:fix|bug ?fix|hot ?fix|fixup!)(?:es|ed)?\b/i.test(subject)
