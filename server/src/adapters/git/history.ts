import { allRefs, HASH, headOf, type Repository } from './repository.ts'
import { type GitPlaces } from './plumbing.ts'
import { inSnapshot } from './snapshot.ts'

export interface HistoryCommit {
  hash: string
  /** Kept by a rebase, ms. */
  authoredAt: number
  committedAt: number
  subject: string
  body: string
  /** Paths that it changed; none for a merge. */
  files: string[]
}

export interface History {
  /** What HEAD and branches reach, newest first. */
  reachable: HistoryCommit[]
  /** The asked commits by the name they were asked with; null if the repository does not have one. */
  asked: Map<string, HistoryCommit | null>
}

/** More branches are not read. */
const MAX_TIPS = 500
const MAX_COMMITS = 50_000
const DEADLINE_MS = 60_000
const NAME = /^[0-9a-f]{4,40}$/
const FORMAT = ['-z', '--no-renames', '--name-only', '--no-ext-diff', '--no-textconv', '--format=%x1e%H%x1f%at%x1f%ct%x1f%s%x1f%b%x1f']

/** The history of a repository since a time, and the commits that are asked for, also if no branch has them. Throws `path_refused`. */
export async function readHistory(
  places: GitPlaces,
  repository: Repository,
  { since, commits }: { since: number; commits: readonly string[] },
  signal: AbortSignal,
): Promise<History> {
  const [head, refs] = await Promise.all([headOf(repository), allRefs(repository)])
  const branches = [...refs].flatMap(([name, hash]) => (name.startsWith('refs/heads/') || name.startsWith('refs/remotes/') ? [hash] : []))
  const tips = [...new Set([...(head.commit === null ? [] : [head.commit]), ...branches])].slice(0, MAX_TIPS)
  const names = [...new Set(commits)].filter((name) => NAME.test(name))
  return inSnapshot(places, repository, AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]), async ({ ask }) => {
    const log = async (args: readonly string[]) =>
      parseLog((await ask(['log', ...FORMAT, ...args], { deadlineMs: DEADLINE_MS })).toString('utf8'))
    const reachable =
      tips.length === 0 ? [] : await log([`--max-count=${MAX_COMMITS}`, `--since=${Math.floor(since / 1000)}`, '--end-of-options', ...tips])
    if (names.length === 0) return { reachable, asked: new Map() }
    const found = (await ask(['cat-file', '--batch-check'], { input: [names.map((name) => `${name}^{commit}\n`).join('')] })).toString(
      'utf8',
    )
    const hashes = found.split('\n').map((line) => /^([0-9a-f]{40}) commit \d+$/.exec(line)?.[1] ?? null)
    const existing = [...new Set(hashes.filter((hash) => hash !== null && HASH.test(hash)))] as string[]
    const byHash = new Map(
      existing.length === 0 ? [] : (await log(['--no-walk=unsorted', '--end-of-options', ...existing])).map((one) => [one.hash, one]),
    )
    return { reachable, asked: new Map(names.map((name, index) => [name, byHash.get(hashes[index] ?? '') ?? null])) }
  })
}

function parseLog(text: string): HistoryCommit[] {
  return text
    .split('\x1e')
    .slice(1)
    .map((part) => {
      const [hash = '', authored = '', committed = '', subject = '', body = '', names = ''] = part.split('\x1f')
      const files = names
        .split('\0')
        .map((name) => name.replace(/^\n/, ''))
        .filter((name) => name !== '')
      return { hash, authoredAt: Number(authored) * 1000, committedAt: Number(committed) * 1000, subject, body, files }
    })
}
