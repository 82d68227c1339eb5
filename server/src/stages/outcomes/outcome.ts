import type { Outcome, OutcomeFact } from '#contracts/entities/outcome.ts'
import type { Verification } from '#contracts/entities/common.ts'
import type { HistoryCommit } from '#server/adapters/git/index.ts'
import { isoOf } from '#server/instant.ts'
import { complaintIn } from './complaint.ts'
import type { KnownHistory } from './known-history.ts'

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
  history: KnownHistory | null,
  { days, now, problem }: { days: number; now: number; problem: string | null },
): Outcome {
  const facts: OutcomeFact[] = []
  if (history) {
    const own = new Set(session.commits.flatMap(({ sha }) => history.asked(sha)?.hash ?? []))
    for (const commit of session.commits) facts.push(...factsOfCommit(commit, history, { own, days, now }))
  } else
    for (const { sha, stepId } of session.commits)
      facts.push(fact('commit', 'unknown', `Not verified: the repository could not be read for ${sha}.`, { stepId }))
  facts.push(factOfPrompt(session, days), factOfChecks(session.verification))
  return { traceId: session.traceId, label: labelOf(session, facts), days, at: isoOf(now), facts, problem }
}

function* factsOfCommit(
  { sha, stepId }: SessionEnd['commits'][number],
  history: KnownHistory,
  { own, days, now }: { own: ReadonlySet<string>; days: number; now: number },
): Generator<OutcomeFact> {
  const commit = history.asked(sha)
  const short = sha.slice(0, 10)
  if (commit === null) {
    yield fact('commit', 'unknown', `Not verified: the repository does not have the commit ${short}.`, { stepId })
    return
  }
  const until = commit.committedAt + days * DAY_MS
  const stayed = history.stayed(commit)
  if (stayed === null && !history.isWhole) {
    yield fact(
      'commit',
      'unknown',
      `Not verified: the repository has more branches or commits than are read, and ${short} is not among them.`,
      { stepId },
    )
    return
  }
  if (stayed === null) {
    yield fact('commit', 'bad', `No branch has the commit ${short} “${commit.subject}” any more.`, {
      stepId,
      commit: commit.hash,
      at: commit.committedAt,
    })
    return
  }
  const names = new Set([commit.hash, stayed.hash])
  const isLater = ({ hash, committedAt }: HistoryCommit): boolean =>
    !names.has(hash) && committedAt >= commit.committedAt && committedAt <= until
  const revert = history.reverting([...names], isLater)
  const fix = history.fixing(stayed.files, (one) => isLater(one) && !own.has(one.hash))
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
