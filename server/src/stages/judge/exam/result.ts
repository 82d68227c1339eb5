import { isDeepStrictEqual } from 'node:util'
import type { ExamCertificate, ExamIdentity, ExamResult } from '#contracts/entities/exam.ts'
import type { Probe } from '#contracts/entities/probe.ts'
import { fallIn, type GeneralResult, sameIdentity } from '../general.ts'
import { decide, type ScoredPair } from './decide.ts'
import { notesOf } from './notes.ts'
import type { ExamStore, RunRow } from './store.ts'

export interface ResultDeps {
  store: Pick<ExamStore, 'certificate' | 'completed'>
  pairsOf: (run: RunRow) => ScoredPair[]
  isTrainingKnown: (modelId: string) => boolean
  /** The last probe of a model for its training data; null: not measured. */
  probeOf: (modelId: string) => Probe | null
  /** Benchmarks that both models answered. */
  benchmarks: (model: ExamIdentity, base: ExamIdentity) => GeneralResult[]
}

/** The sides of a reading were asked at different times. */
export const OF_READING = {
  verdict: 'not_proven' as const,
  reason: 'A reading of the thermometer: the model beside its own answers of the reading before. It proves nothing about another model.',
}
const LEAKED = 'It is better, but its probe found that it writes phrases of its training data.'

/** Whether stored answers still give the figures of a certificate. */
const agrees = (
  certificate: ExamCertificate,
  { delta, sessions, intervals }: Pick<ExamResult, 'delta' | 'sessions' | 'intervals'>,
): boolean => isDeepStrictEqual([certificate.delta, certificate.sessions, certificate.intervals], [delta, sessions, intervals])

/** The figures of a run and what they decide, from its stored answers. */
export function createResults({ store, pairsOf, isTrainingKnown, probeOf, benchmarks }: ResultDeps) {
  /** The last completed run of this exam in which the base met itself. */
  const noiseFloorOf = (run: RunRow): ExamResult['noiseFloor'] => {
    for (const other of store.completed(run.examNo)) {
      const { model, base } = other.sides
      if (other.id === run.id || other.isReading || !sameIdentity(model, base) || !sameIdentity(base, run.sides.base)) continue
      const { delta, intervals } = decide(pairsOf(other), { isSame: true })
      if (delta !== null) return { delta, ...intervals.clustered, run: other.id }
    }
    return null
  }

  return (run: RunRow): ExamResult => {
    const isSame = run.isReading || sameIdentity(run.sides.model, run.sides.base)
    const { request } = run
    const general = isSame ? [] : benchmarks(run.sides.model, run.sides.base)
    const modelId = request.model.kind === 'model' ? request.model.model : null
    const probe = modelId === null ? null : probeOf(modelId)
    const known = { request, sides: run.sides, general, probe, isTrainingKnown: modelId !== null && isTrainingKnown(modelId) }
    const notes = isSame ? [] : notesOf(known)
    const floor = run.isReading ? null : noiseFloorOf(run)
    if (floor === null && !isSame) notes.push('Noise floor: not measured. Run the base against itself to measure it.')
    const figures = run.isReading ? { ...decide(pairsOf(run), { isSame: true }), ...OF_READING } : decide(pairsOf(run), { isSame })
    // a model that writes its training data is not better, whatever its figures
    const certificate = store.certificate(run)
    const isLeak = figures.verdict === 'ship' && probe?.state === 'leaks'
    const fall = figures.verdict === 'ship' ? fallIn(general) : null
    const blocked = isLeak
      ? { verdict: 'refused' as const, reason: LEAKED }
      : fall === null
        ? null
        : { verdict: 'not_proven' as const, reason: fall }
    // what is decided stays as it was; what is known since then is said beside it
    if (certificate && !agrees(certificate, figures))
      notes.push('The certificate does not agree with the stored answers any more: they were changed since it was made. Decide again.')
    if (certificate && blocked && certificate.verdict === 'ship') notes.push(`Known since it was decided: ${blocked.reason}`)
    return {
      ...figures,
      ...(certificate?.verdict !== 'ship' && blocked),
      decided: certificate !== null,
      noiseFloor: floor,
      notes,
    }
  }
}
