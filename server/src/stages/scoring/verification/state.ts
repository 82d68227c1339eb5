import type { Verification } from '#contracts/entities/common.ts'
import type { VerificationRun } from '#contracts/entities/score.ts'
import type { RunFact, StepFacts } from '../facts.ts'
import { baselines } from './baselines.ts'
import { covers, isWhole } from './coverage.ts'
import type { RunKind } from './run-kind.ts'
import { joinReports } from './report.ts'
import { runResult, type Result } from './result.ts'

/** A result that replaces the inferred state: of a verifier that really ran, or the user's word. */
export interface VerificationOverride {
  state: Verification
  by: string
}

export interface VerificationState {
  state: Verification
  /** Kinds of the runs that decided; empty without any run. */
  decidedBy: { kind: RunKind; result: Result }[]
  /** A run failed that no later passed run covers. */
  open: boolean
  /** A command that is no known run reported failures, and nothing healed it. */
  red: boolean
  filesEditedAfter: number | null
  override: VerificationOverride | null
  evidence: VerificationRun[]
  /** Steps whose failed runs were all tests that a later passed run covers: neither success nor failure (§4.4, 5). */
  redThenGreen: ReadonlySet<string>
}

interface Run extends RunFact {
  /** Index of its step. */
  at: number
  step: string
  baseline: boolean
}

/** State and evidence of a trace (system.md §4.4, 5 to 8). */
export function inferVerification(facts: readonly StepFacts[], override: VerificationOverride | null = null): VerificationState {
  const before = baselines(facts)
  const runs = runsOf(facts, before)
  const deciding = runs.filter(({ result, baseline }) => result !== 'not_run' && !baseline)
  const inferred = stateOf(runs, deciding)
  const isRed = hasUnhealedRed(facts, deciding, before)
  const state = override?.state ?? (isRed && (inferred.state === 'passed' || inferred.state === 'none') ? 'unclear' : inferred.state)
  const decides = new Set(override ? [] : inferred.by)
  const last = inferred.by.at(-1)
  return {
    state,
    decidedBy: inferred.by.map(({ kind, result }) => ({ kind, result })),
    open: override === null && inferred.open,
    red: override === null && isRed,
    filesEditedAfter: last === undefined ? null : new Set(facts.slice(last.at + 1).flatMap(({ edited }) => edited ?? [])).size,
    override,
    evidence: runs.map((run) => ({
      step: run.step,
      command: run.command,
      kind: run.kind,
      result: run.result,
      guessed: run.guessed,
      ...(run.baseline && { baseline: true }),
      why: run.why,
      decides: decides.has(run),
    })),
    redThenGreen: redThenGreen(runs),
  }
}

function runsOf(facts: readonly StepFacts[], before: ReadonlySet<string>): Run[] {
  return facts.flatMap((step, at) =>
    (step.acts ?? []).flatMap((act, index) =>
      'scope' in act
        ? [{ ...act, ...backgroundResult(act, step, facts, at), at, step: step.id, baseline: before.has(`${at}:${index}`) }]
        : [],
    ),
  )
}

/** What later steps read of a command that the client put in the background belongs to its run (§4.4, 3). */
function backgroundResult(run: RunFact, step: StepFacts, facts: readonly StepFacts[], at: number): Partial<RunFact> {
  if (run.inBackground === null) return {}
  const reads = facts
    .slice(at + 1)
    .flatMap(({ reads: read }) => (read && read.ids.some((id) => step.background?.includes(id)) ? [read] : []))
  if (reads.length === 0) return { result: 'unclear', why: 'ran in the background; its output was not read' }
  const code = reads.findLast(({ exitCode }) => exitCode !== null)?.exitCode ?? null
  const { status, followed } = run.inBackground
  return runResult({
    kind: run.kind,
    status: code === null && status?.by === 'exit' ? null : status,
    followed,
    outcome: code === null ? 'unknown' : code === 0 ? 'success' : 'failure',
    exitCode: code,
    report: joinReports(reads.map(({ report }) => report)),
    neverStarted: null,
    isTimedOut: false,
  })
}

function isCovered(run: Run, runs: readonly Run[]): boolean {
  const from = runs.indexOf(run)
  return runs.some(
    (later, index) =>
      index > from && later.kind === run.kind && later.result === 'passed' && !later.baseline && covers(later.scope, run.scope),
  )
}

function stateOf(runs: readonly Run[], deciding: readonly Run[]): { state: Verification; open: boolean; by: Run[] } {
  const last = (kind: RunKind) => deciding.findLast((run) => run.kind === kind)
  const [test, build, lint] = [last('test'), last('build'), last('lint')]
  if (!test) {
    const by = [build, lint].filter((run) => run !== undefined)
    const results = new Set(by.map(({ result }) => result))
    if (results.has('failed')) return { state: 'failed', open: false, by }
    if (build?.result === 'passed') return { state: 'passed', open: false, by }
    if (results.has('unclear')) return { state: 'unclear', open: false, by }
    if (lint) return { state: 'none', open: false, by }
    const tried = runs.filter(({ result, baseline }) => result === 'not_run' && !baseline)
    return tried.length > 0 ? { state: 'unclear', open: false, by: tried.slice(-1) } : { state: 'none', open: false, by: [] }
  }
  if (test.result === 'failed') return { state: 'failed', open: false, by: [test] }
  const uncovered = deciding.filter((run) => run.kind === 'test' && run.result === 'failed' && !isCovered(run, deciding))
  const after = (run: Run | undefined) => run !== undefined && run.result === 'failed' && deciding.indexOf(run) > deciding.indexOf(test)
  const isUnclear = uncovered.length > 0 || after(build)
  return {
    state: isUnclear || test.result !== 'passed' ? 'unclear' : 'passed',
    open: isUnclear || after(lint),
    by: [test, ...(after(build) ? [build!] : []), ...(after(lint) ? [lint!] : [])],
  }
}

function redThenGreen(runs: readonly Run[]): ReadonlySet<string> {
  const found = new Map<string, boolean>()
  for (const run of runs) {
    if (run.result !== 'failed') continue
    found.set(run.step, (found.get(run.step) ?? true) && run.kind === 'test' && isCovered(run, runs))
  }
  return new Set([...found].flatMap(([step, isGreen]) => (isGreen ? [step] : [])))
}

/** §4.4, 7, unknown red: healed by a whole test run that passed later, or by the same words without such a report. */
function hasUnhealedRed(facts: readonly StepFacts[], deciding: readonly Run[], before: ReadonlySet<string>): boolean {
  const lastGreen = deciding.findLast(({ kind, result, scope }) => kind === 'test' && result === 'passed' && isWhole(scope))?.at ?? -1
  const healed = new Set<string>()
  for (let at = facts.length - 1; at > lastGreen; at--) {
    const step = facts[at]!
    if (step.red === null) {
      if (step.outcome === 'success') healed.add(step.key)
    } else if (!before.has(`${at}`) && !healed.has(step.key)) return true
  }
  return false
}
