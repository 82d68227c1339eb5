import type { ExamVerdict } from '#contracts/entities/evaluation.ts'
import type { ExamAnswerState, ExamAttempt, ExamResult } from '#contracts/entities/exam.ts'
import { LEAST_SESSIONS } from '#contracts/exam-words.ts'
import { bootstrap } from '#server/statistics/bootstrap.ts'
import { sum } from '#server/statistics/means.ts'
import { paired } from '#server/statistics/paired.ts'
import { itemsForMeans, smallestMean } from '#server/statistics/power.ts'
import { scoreCall } from './call-score.ts'
import type { Known, Pair, Side } from './store.ts'

/** A candidate ships when the difference reaches `delta`, both intervals lie above 0, and there are enough sessions. */
export const GATE = { delta: 0.05, sessions: LEAST_SESSIONS, owedShare: 0.02 }
export const BOOTSTRAP = { seed: 42, resamples: 1000 }
/** Standard deviation of the differences of sessions that runs of recorded work usually have. */
const USUAL_SD = 0.18
/** The chance of a rare difference that all sessions together would have missed. */
const UNSEEN = 0.05

type Figures = Omit<ExamResult, 'decided' | 'noiseFloor' | 'notes'>

/** Of a call, or of the attempts at a task: `soft` is the share that pass, `exact` 1 if all do. */
export interface ItemScore {
  soft: number
  exact: number
  toolName: number | null
  argF1: number | null
}

export interface ScoredPair extends Pair {
  modelScore: ItemScore | null
  baseScore: ItemScore | null
  /** Of a task. */
  runs?: Record<Side, ExamAttempt[]>
}

/** Both scores of each item; null for an answer that is owed. */
export const scorePairs = (pairs: readonly Pair[]): ScoredPair[] =>
  pairs.map((pair) => ({ ...pair, modelScore: scoreOf(pair, pair.model), baseScore: scoreOf(pair, pair.base) }))

const scoreOf = ({ item }: Pair, answer: Known): ItemScore | null =>
  answer === null || answer.state === 'error' || item.call === null ? null : scoreCall(item.call, answer.call)

export function stateOf(answer: Known, score: ItemScore | null): ExamAnswerState {
  if (answer === null) return 'not_run'
  if (answer.state !== 'answered') return answer.state
  return score?.exact === 1 ? 'pass' : 'fail'
}

export const isOwed = ({ modelScore, baseScore, isReading }: ScoredPair): boolean =>
  modelScore === null || (!isReading && baseScore === null)

/** Whether both sides have a score. */
export const isCompared = ({ modelScore, baseScore }: ScoredPair): boolean => modelScore !== null && baseScore !== null

/** The smallest difference that this many sessions usually show; null below two. */
export const smallestEffect = (sessions: number): number | null => (sessions < 2 ? null : smallestMean(USUAL_SD, sessions))

/** Candidate minus base on items with both scores. `sd`: standard deviation of the differences of sessions. */
export function compare(known: readonly ScoredPair[]) {
  const compared = paired(
    known.map(({ baseScore }) => baseScore!.soft),
    known.map(({ modelScore }) => modelScore!.soft),
    known.map(({ item }) => item.traceId),
  )
  return { ...compared, sd: compared.se === null ? null : compared.se * Math.sqrt(compared.groups) }
}

/** Compares two models on the same items, with sessions as what is independent. `isSame`: both sides are one model. */
export function decide(pairs: readonly ScoredPair[], { isSame }: { isSame: boolean }): Figures {
  const known = pairs.filter(isCompared)
  const sideBySide = known.map((pair) => ({ session: pair.item.traceId, model: pair.modelScore!, base: pair.baseScore! }))
  const { sd, ...compared } = compare(known)
  const groups = [...Map.groupBy(sideBySide, ({ session }) => session).values()].map((group) =>
    group.map(({ model, base }) => model.soft - base.soft),
  )
  const resampled = bootstrap(groups, BOOTSTRAP.seed, BOOTSTRAP.resamples)
  const intervals = {
    bootstrap: { low: resampled.low, high: resampled.high },
    clustered: { low: compared.low, high: compared.high },
  }
  const measured = {
    delta: compared.delta,
    intervals,
    sessions: compared.groups,
    bound: boundOf(intervals, compared.groups, compared.wins + compared.losses),
  }
  const owed = pairs.filter(isOwed).length
  const { verdict, reason, needed } = verdictOf({ ...measured, isSame, owed, total: pairs.length, sd })
  return {
    verdict,
    reason,
    ...measured,
    items: known.length,
    needed,
    wins: compared.wins,
    losses: compared.losses,
    ties: compared.ties,
    p: known.length === 0 ? null : compared.p,
    figures: { model: meansOf(sideBySide.map(({ model }) => model)), base: meansOf(sideBySide.map(({ base }) => base)) },
  }
}

interface Measured extends Pick<Figures, 'delta' | 'intervals' | 'sessions' | 'bound'> {
  isSame: boolean
  owed: number
  total: number
  /** Standard deviation of the differences of sessions. */
  sd: number | null
}

function verdictOf(measured: Measured): { verdict: ExamVerdict; reason: string; needed: number | null } {
  const { delta, sessions, bound, isSame, owed, total, sd } = measured
  const answer = (verdict: ExamVerdict, reason: string, needed: number | null = null) => ({ verdict, reason, needed })
  if (delta === null) return answer('refused', 'No item was answered by both models.')
  if (owed / total > GATE.owedShare)
    return answer('refused', `${owed} of ${total} items have no verdict on both sides; at most ${GATE.owedShare * 100} % may be missing.`)
  const { bootstrap: resampled, clustered } = measured.intervals
  const [low, high] = [
    Math.min(resampled.low ?? -Infinity, clustered.low ?? -Infinity),
    Math.max(resampled.high ?? Infinity, clustered.high ?? Infinity),
  ]
  const needed = neededSessions(delta, sessions, sd)
  if (isSame) return answer('not_proven', 'Both sides are the same model: this run measures how much its results vary by themselves.', null)
  if (high < 0) return answer('worse', `It is worse by ${figure(-delta)}, and both intervals lie below 0.`)
  const isEnough = sessions >= GATE.sessions
  if (isEnough && low > 0 && delta >= GATE.delta) return answer('ship', `It is better by ${figure(delta)}, and both intervals lie above 0.`)
  if (isEnough && bound !== null && bound < GATE.delta)
    return answer('bounded_null', `No effect larger than ±${figure(bound)} is compatible with the data.`)
  const why = !isEnough
    ? `${sessions} ${sessions === 1 ? 'session is' : 'sessions are'} too few: at least ${GATE.sessions} are needed.`
    : low > 0
      ? `It is better by ${figure(delta)}, less than the ${figure(GATE.delta)} that counts.`
      : 'An interval includes 0.'
  return answer('not_proven', why, needed)
}

/** Sessions that would show this difference, or the least that counts if it is smaller. */
function neededSessions(delta: number, sessions: number, sd: number | null): number | null {
  if (sd === null) return null
  if (sd === 0) return Math.max(GATE.sessions, Math.ceil(Math.log(UNSEEN) / Math.log(1 - GATE.delta)))
  const byPower = itemsForMeans(sd, Math.max(GATE.delta, Math.abs(delta)))
  return Math.max(GATE.sessions, byPower, Math.abs(delta) < GATE.delta ? sessions + 1 : 0)
}

/** The largest effect that both intervals allow. Without any difference, sessions bound only how rare one can be. */
function boundOf({ bootstrap: resampled, clustered }: Figures['intervals'], sessions: number, discordant: number): number | null {
  if (clustered.low === null || clustered.high === null || resampled.low === null || resampled.high === null) return null
  const unseen = discordant === 0 ? 1 - UNSEEN ** (1 / sessions) : 0
  return Math.max(unseen, ...[clustered.low, clustered.high, resampled.low, resampled.high].map(Math.abs))
}

function meansOf(scores: readonly ItemScore[]): Figures['figures']['model'] {
  const mean = (of: keyof ItemScore) => {
    const known = scores.flatMap((score) => score[of] ?? [])
    return known.length === 0 ? null : sum(known) / known.length
  }
  return { soft: mean('soft'), exact: mean('exact'), toolName: mean('toolName'), argF1: mean('argF1') }
}

const figure = (value: number) => value.toFixed(3).replace(/^0/, '')
