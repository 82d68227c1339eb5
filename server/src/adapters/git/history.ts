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
  /** False if there are more branches or commits than are read: a commit that is missing may be on one of them. */
  isWhole: boolean
}

/** What git wrote, to be read by `parseHistory` in a worker: a history of 50,000 commits is 10 MB. */
export interface HistoryText {
  log: Uint8Array
  asked: Uint8Array
  /** The names that were asked for, with their hash; null if the repository does not have one. */
  hashes: (readonly [name: string, hash: string | null])[]
  hasAllTips: boolean
}

/** More branches are not read. */
const MAX_TIPS = 500
const MAX_COMMITS = 50_000
const DAY_MS = 86_400_000
const DEADLINE_MS = 60_000
const NAME = /^[0-9a-f]{4,40}$/
const FORMAT = ['-z', '--no-renames', '--name-only', '--no-ext-diff', '--no-textconv', '--format=%x1e%H%x1f%at%x1f%ct%x1f%s%x1f%b%x1f']

/** The history of a repository since a time, and the commits that are asked for, also if no branch has them. Throws `path_refused`. */
export async function readHistory(
  places: GitPlaces,
  repository: Repository,
  { since, commits }: { since: number; commits: readonly string[] },
  signal: AbortSignal,
): Promise<HistoryText> {
  const [head, refs] = await Promise.all([headOf(repository), allRefs(repository)])
  const branches = [...refs].flatMap(([name, hash]) => (name.startsWith('refs/heads/') || name.startsWith('refs/remotes/') ? [hash] : []))
  const all = [...new Set([...(head.commit === null ? [] : [head.commit]), ...branches])]
  const tips = all.slice(0, MAX_TIPS)
  const hasAllTips = tips.length === all.length
  const names = [...new Set(commits)].filter((name) => NAME.test(name))
  return inSnapshot(places, repository, AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]), async ({ ask }) => {
    const log = (args: readonly string[]): Promise<Uint8Array> => ask(['log', ...FORMAT, ...args], { deadlineMs: DEADLINE_MS })
    const reachable = async (from: number): Promise<Uint8Array> =>
      tips.length === 0 ? NOTHING : log([`--max-count=${MAX_COMMITS}`, `--since=${Math.floor(from / 1000)}`, '--end-of-options', ...tips])
    if (names.length === 0) return { log: await reachable(since), asked: NOTHING, hashes: [], hasAllTips }
    const found = (await ask(['cat-file', '--batch-check'], { input: [names.map((name) => `${name}^{commit}\n`).join('')] })).toString(
      'utf8',
    )
    const hashes = found.split('\n').map((line) => /^([0-9a-f]{40}) commit \d+$/.exec(line)?.[1] ?? null)
    const existing = [...new Set(hashes.filter((hash) => hash !== null && HASH.test(hash)))] as string[]
    const ofExisting = ['--no-walk=unsorted', '--end-of-options', ...existing]
    const times =
      existing.length === 0 ? [] : (await ask(['log', '--format=%ct', ...ofExisting])).toString('utf8').trim().split('\n').map(Number)
    return {
      log: await reachable(Math.min(since, ...times.map((time) => time * 1000 - DAY_MS))), // a session does not always tell when it committed
      asked: existing.length === 0 ? NOTHING : await log(ofExisting),
      hashes: names.map((name, index) => [name, hashes[index] ?? null] as const),
      hasAllTips,
    }
  })
}

const NOTHING = new Uint8Array()

export function parseHistory({ log, asked, hashes, hasAllTips }: HistoryText): History {
  const byHash = new Map(parseLog(asked).map((one) => [one.hash, one]))
  const reachable = parseLog(log)
  return {
    reachable,
    asked: new Map(hashes.map(([name, hash]) => [name, byHash.get(hash ?? '') ?? null])),
    isWhole: hasAllTips && reachable.length < MAX_COMMITS,
  }
}

function parseLog(bytes: Uint8Array): HistoryCommit[] {
  return new TextDecoder()
    .decode(bytes)
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
