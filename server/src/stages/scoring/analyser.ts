import type { Analyser } from '#server/stages/traces/types.ts'
import { createStepReader, type StepFacts } from './facts.ts'
import { commandsHash, type ScoringOptions } from './options.ts'
import { scoreFacts, type TraceScore } from './score.ts'

/** A score with the hash of the verification commands it was computed with: the settings may change before it is stored. */
export interface AnalysedScore extends TraceScore {
  commandsHash: string
}

/** Scoring as part of the derive job. Each thread has its own cache of parsed commands. */
export const analyser: Analyser<StepFacts, AnalysedScore, ScoringOptions> = {
  name: 'scoring',
  analyseStep: createStepReader(),
  analyseTrace(facts, options, calls) {
    const { verified = null } = options
    const override = verified !== null && calls <= verified.calls ? { state: verified.state, by: verified.by } : null
    return { ...scoreFacts(facts, override), commandsHash: commandsHash(options) }
  },
}
