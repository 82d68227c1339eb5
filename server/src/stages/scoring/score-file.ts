import fs from 'node:fs'
import { ScoreDocument, type Policy, type Thresholds } from '#contracts/entities/score.ts'
import type { ParsedStep } from '#server/stages/traces/types.ts'
import { createStepReader } from './facts.ts'
import type { ScoringOptions } from './options.ts'
import { scoreFacts, withTier, type TraceScore } from './score.ts'
import { parseStepsFile } from './steps-file.ts'

import type { VerificationOverride } from './verification/state.ts'

interface ScoreStepsOptions extends Partial<ScoringOptions> {
  override?: VerificationOverride | null
}

/** Scores parsed steps, in order. Pure: no database, no archive. */
export function scoreSteps(
  steps: readonly ParsedStep[],
  { verificationCommands = [], commandOverrides = [], override = null }: ScoreStepsOptions = {},
): TraceScore {
  const read = createStepReader()
  return scoreFacts(
    steps.map((step) => read(step, { verificationCommands, commandOverrides })),
    override,
  )
}

interface ScoreSourceOptions extends ScoreStepsOptions {
  policy: Policy
  thresholds?: Thresholds
}

/** Scores the steps file at a path, or steps read from a transcript. */
export function scoreSource(source: string | readonly ParsedStep[], { policy, thresholds, ...options }: ScoreSourceOptions): ScoreDocument {
  const steps = typeof source === 'string' ? parseStepsFile(fs.readFileSync(source, 'utf8'), source) : source
  return ScoreDocument.parse(withTier(scoreSteps(steps, options), policy, thresholds))
}
