import type { Outcome, OutcomeFact } from '#contracts/entities/outcome.ts'
import type { Verification } from '#contracts/entities/common.ts'
import type { History, HistoryCommit } from '#server/adapters/git/index.ts'
import { isoOf } from '#server/instant.ts'
import { complaintIn } from './complaint.ts'

const DAY_MS = 86_400_000

/** What is known of a session and of what came after it, from the archive. */
export interface SessionEnd {
  traceId: string
  endedAt: number | null
  verification: Verification
  commits: readonly { sha: string; stepId: string; at: number | null }[]
  /** The prompt after its last commit or edit: in it, or at the begin of the next session in its folder. */
  nextPrompt: { traceId: string; stepId: string | null; at: number | null; text: string | null } | null
}

/** `history`: null if the repository could not be read. */
export function outcomeOf(
  session: SessionEnd,
  history: History | null,
  { days, now, problem }: { days: number; now: number; problem: string | null },
): Outcome {
  const facts: OutcomeFact[] = []
  if (history) for (const commit of session.commits) facts.push(...factsOfCommit(session, commit, history, { days, now }))
  else
    for (const { sha, stepId } of session.commits)
      facts.push(fact('commit', 'unknown', `Not verified: the repository could not be read for ${sha}.`, { stepId }))
  facts.push(factOfPrompt(session, days), factOfChecks(session.verification))
  return { traceId: session.traceId, label: labelOf(session, facts), days, at: isoOf(now), facts, problem }
}

function* factsOfCommit(
  session: SessionEnd,
  { sha, stepId }: SessionEnd['commits'][number],
  history: History,
  { days, now }: { days: number; now: number },
): Generator<OutcomeFact> {
  const commit = history.asked.get(sha) ?? null
  const short = sha.slice(0, 10)
  if (commit === null) {
    yield fact('commit', 'unknown', `Not verified: the repository does not have the commit ${short}.`, { stepId })
    return
  }
  const until = commit.committedAt + days * DAY_MS
  const stayed = history.reachable.find(({ hash }) => hash === commit.hash) ?? rewrittenAs(commit, history)
  if (stayed === null) {
    yield fact('commit', 'bad', `No branch has the commit ${short} “${commit.subject}” any more.`, {
      stepId,
      commit: commit.hash,
      at: commit.committedAt,
    })
    return
  }
  const names = new Set([commit.hash, stayed.hash])
  const own = new Set(session.commits.flatMap((one) => history.asked.get(one.sha)?.hash ?? []))
  const later = history.reachable.filter(
    ({ hash, committedAt }) => !names.has(hash) && committedAt >= commit.committedAt && committedAt <= until,
  )
  const revert = later.find(({ body }) => revertedIn(body).some((hash) => [...names].some((name) => name.startsWith(hash))))
  const fix = later.find((one) => !own.has(one.hash) && isFix(one) && one.files.some((file) => stayed.files.includes(file)))
  const isOver = now >= until
  const word = stayed.hash === commit.hash ? '' : `, now as ${stayed.hash.slice(0, 10)}`
  yield fact(
    'commit',
    isOver || revert || fix ? 'good' : 'open',
    `A branch has the commit ${short} “${stayed.subject}”${word}${isOver ? '' : `; corrections count until ${isoOf(until).slice(0, 10)}`}.`,
    { stepId, commit: stayed.hash, at: stayed.committedAt },
  )
  if (revert)
    yield fact('reverted', 'bad', `It was reverted by ${revert.hash.slice(0, 10)} “${revert.subject}”.`, {
      commit: revert.hash,
      at: revert.committedAt,
    })
  else if (fix)
    yield fact('fixed', 'bad', `${fix.hash.slice(0, 10)} “${fix.subject}” fixed a file that it changed.`, {
      commit: fix.hash,
      at: fix.committedAt,
    })
}

/** A rebase, an amend or a cherry-pick keeps the author's time and the subject. */
const rewrittenAs = (commit: HistoryCommit, { reachable }: History): HistoryCommit | null =>
  reachable.find(({ authoredAt, subject }) => authoredAt === commit.authoredAt && subject === commit.subject) ?? null

/** The hashes in the lines that `git revert` writes. */
const revertedIn = (body: string): string[] => [...body.matchAll(/^This reverts commit ([0-9a-f]{7,40})/gm)].map(([, hash]) => hash!)

const isFix = ({ subject }: HistoryCommit): boolean => /^(?:fix|bug ?fix|hot ?fix|fixup!)(?:es|ed)?\b/i.test(subject)

function factOfPrompt({ nextPrompt, endedAt }: SessionEnd, days: number): OutcomeFact {
  const isInTime = nextPrompt !== null && (nextPrompt.at === null || endedAt === null || nextPrompt.at <= endedAt + days * DAY_MS)
  if (!isInTime) return fact('prompt', 'unknown', `No prompt followed within ${days} days.`)
  const { traceId, stepId, at, text } = nextPrompt
  if (text === null || text.replace(/\[Image[^\]]*\]/g, '').trim() === '')
    return fact('prompt', 'unknown', 'Not verified: the next prompt has no text that could be read.', { traceId, stepId, at })
  const words = complaintIn(text)
  return words === null
    ? fact('prompt', 'good', 'The next prompt has no wording of a complaint that is known.', { traceId, stepId, at })
    : fact('prompt', 'bad', `The next prompt complains: “${words}”.`, { traceId, stepId, at })
}

function factOfChecks(verification: Verification): OutcomeFact {
  if (verification === 'passed') return fact('checks', 'good', 'Its checks passed.')
  return verification === 'failed' ? fact('checks', 'bad', 'Its checks failed.') : fact('checks', 'unknown', 'Checks: not measured.')
}

function labelOf({ commits }: SessionEnd, facts: readonly OutcomeFact[]): Outcome['label'] {
  const of = (...kinds: OutcomeFact['kind'][]) => facts.filter(({ kind }) => kinds.includes(kind)).map(({ result }) => result)
  if (of('commit', 'reverted', 'fixed', 'prompt').includes('bad')) return 'corrected'
  const stayed = of('commit')
  if (commits.length === 0 || stayed.includes('unknown') || of('checks').includes('bad')) return 'unknown'
  return stayed.includes('open') ? 'open' : 'kept'
}

type Evidence = Partial<Pick<OutcomeFact, 'commit' | 'traceId' | 'stepId'>> & { at?: number | null }

function fact(kind: OutcomeFact['kind'], result: OutcomeFact['result'], sentence: string, evidence: Evidence = {}): OutcomeFact {
  const { commit = null, at = null, traceId = null, stepId = null } = evidence
  return { kind, result, sentence, commit, at: isoOf(at), traceId, stepId }
}
