import type { ExamCertificate, ExamResult } from '#contracts/entities/exam.ts'
import { RUN_LIMITS } from '../solved/perform.ts'
import { SCORER_VERSION } from './call-score.ts'
import { BOOTSTRAP, GATE, isOwed, type ScoredPair } from './decide.ts'
import type { ExamRow, RunRow } from './store.ts'

/** A certificate is made from stored answers only, so it can be computed again without a model. */
export function certificateOf(
  exam: ExamRow,
  run: RunRow,
  pairs: readonly ScoredPair[],
  result: ExamResult,
  version: string,
): ExamCertificate {
  const { request, sides } = run
  return {
    verdict: result.verdict,
    delta: result.delta,
    intervals: result.intervals,
    sessions: result.sessions,
    items: pairs.map(itemOf),
    needed: result.needed,
    noiseFloor: result.noiseFloor,
    model: sides.model,
    base: sides.base,
    forms: {
      ...(exam.kind === 'solved_tasks'
        ? {
            metric: 'solved_tasks.pass_rate',
            chosen: 'tasks of held-out sessions, each proven by BASE, RED and GOLD',
            graded: 'by tests that the agent never saw, in a sandbox without network',
            attempts: request.attempts,
            agent: request.agent,
          }
        : {
            metric: 'next_call.soft',
            chosen: 'recorded calls of held-out sessions, spread over tools',
            context: `rows as in training, at most ${exam.request.contextTokens} estimated tokens`,
          }),
      gateDelta: GATE.delta,
      gateSessions: GATE.sessions,
      gateOwedShare: GATE.owedShare,
    },
    seeds: { exam: exam.request.seed, answers: request.seed, bootstrap: BOOTSTRAP.seed },
    envelope: {
      exam: exam.id,
      examHash: exam.hash,
      run: run.id,
      order: 'interleaved, base first in every second item',
      ...(exam.kind === 'solved_tasks'
        ? { turns: request.turns, timeSec: request.timeSec, ...RUN_LIMITS, checkTimeoutSec: exam.request.checkTimeoutSec, network: 'none' }
        : { temperature: 0, maxTokens: request.maxTokens, parallel: request.parallel }),
      resamples: BOOTSTRAP.resamples,
    },
    versions: { app: version, scorer: SCORER_VERSION },
    errors: [...(result.verdict === 'refused' ? [result.reason] : []), ...result.notes],
  }
}

function itemOf(pair: ScoredPair): ExamCertificate['items'][number] {
  const { item, modelScore, baseScore } = pair
  const [base, candidate] = [baseScore?.soft ?? null, modelScore?.soft ?? null]
  if (isOwed(pair)) return { id: item.id, base, candidate, state: pair.model === null || pair.base === null ? 'not_run' : 'error' }
  return { id: item.id, base, candidate, state: candidate! > base! ? 'win' : candidate! < base! ? 'loss' : 'tie' }
}
