import type { Verification } from '#contracts/entities/common.ts'
import type { VerificationRun } from '#contracts/entities/score.ts'
import type { RunFact, StepFacts } from './facts.ts'
import type { RunKind } from './verification-commands.ts'

/** A result that replaces the inferred state: of a verifier that really ran, or the user's word. */
export interface VerificationOverride {
  state: Verification
  by: string
}

export interface VerificationState {
  state: Verification
  /** Kinds of the runs that decided; empty without any run. */
  decidedBy: { kind: RunKind; result: RunFact['result'] }[]
  /** A run failed that no later passed run covers. */
  open: boolean
  /** A command that is no known run reported failures, and nothing healed it. */
  red: boolean
  filesEditedAfter: number | null
  override: VerificationOverride | null
  evidence: VerificationRun[]
}

/** State and evidence of a trace (system.md §4.4 (3), (4)). */
export function inferVerification(facts: readonly StepFacts[], override: VerificationOverride | null = null): VerificationState {
  const runs = runsWithEdits(facts)
  const last = (kind: RunKind) => runs.findLast((run) => run.kind === kind)
  const test = last('test')
  const deciding = test ? [test] : [last('build'), last('lint')].filter((run) => run !== undefined)
  const results = deciding.map(({ result }) => result)
  const inferred: Verification =
    results.length === 0 ? 'none' : results.includes('failed') ? 'failed' : results.includes('passed') ? 'passed' : 'unclear'
  return {
    state: override?.state ?? inferred,
    decidedBy: deciding.map(({ kind, result }) => ({ kind, result })),
    open: false,
    red: false,
    filesEditedAfter: null,
    override,
    evidence: runs.map((run) => Object.assign(run, { decides: override === null && deciding.includes(run) })),
  }
}

function runsWithEdits(facts: readonly StepFacts[]): VerificationRun[] {
  const editedAfter = new Set<string>()
  const runs: VerificationRun[] = []
  for (const step of facts.toReversed()) {
    if (step.edited !== null) editedAfter.add(step.edited)
    for (const run of (step.runs ?? []).toReversed()) {
      runs.push({ step: step.id, ...run, decides: false, guessed: false })
    }
  }
  return runs.toReversed()
}
