import type { Verification } from '#contracts/entities/common.ts'
import type { CheckKind, CheckResult, VerificationCheck } from '#contracts/entities/score.ts'
import type { CheckFact, StepFacts } from '../facts.ts'
import { baselineKeys } from './baselines.ts'
import { covers, isWhole } from './coverage.ts'
import { joinReports } from './report.ts'
import { checkResult } from './result.ts'

/** Replaces the inferred state: the result of our check, or a decision of the user. */
export interface VerificationOverride {
  state: Verification
  by: string
}

export interface VerificationState {
  state: Verification
  /** The deciding checks; empty if there are none. */
  decidedBy: { kind: CheckKind; result: CheckResult }[]
  /** A check failed, and no check that passed later covers it. */
  open: boolean
  /** An unrecognised command reported failures, and nothing that passed later clears it. */
  red: boolean
  filesEditedAfter: number | null
  override: VerificationOverride | null
  evidence: VerificationCheck[]
  /** Steps whose failed checks were all tests that passed later; they count as neither success nor failure. */
  redThenGreen: ReadonlySet<string>
}

interface Check extends CheckFact {
  /** Index of its step. */
  stepIndex: number
  step: string
  baseline: boolean
}

/** State and evidence of a trace. */
export function inferVerification(facts: readonly StepFacts[], override: VerificationOverride | null = null): VerificationState {
  const baselines = baselineKeys(facts)
  const checks = checksOf(facts, baselines)
  const deciding = checks.filter(({ result, baseline }) => result !== 'not_run' && !baseline)
  const inferred = stateOf(checks, deciding)
  const isRed = hasOpenRed(facts, deciding, baselines)
  const state = override?.state ?? (isRed && (inferred.state === 'passed' || inferred.state === 'none') ? 'unclear' : inferred.state)
  const decides = new Set(override ? [] : inferred.by)
  const last = inferred.by.at(-1)
  return {
    state,
    decidedBy: inferred.by.map(({ kind, result }) => ({ kind, result })),
    open: override === null && inferred.open,
    red: override === null && isRed,
    filesEditedAfter: last === undefined ? null : new Set(facts.slice(last.stepIndex + 1).flatMap(({ edited }) => edited ?? [])).size,
    override,
    evidence: checks.map((check) => ({
      step: check.step,
      command: check.command,
      kind: check.kind,
      result: check.result,
      guessed: check.guessed,
      ...(check.baseline && { baseline: true }),
      why: check.why,
      decides: decides.has(check),
    })),
    redThenGreen: redThenGreen(checks),
  }
}

function checksOf(facts: readonly StepFacts[], baselines: ReadonlySet<string>): Check[] {
  return facts.flatMap((step, at) =>
    (step.checkEvents ?? []).flatMap((event, index) =>
      'scope' in event
        ? [
            {
              ...event,
              ...backgroundResult(event, step, facts, at),
              stepIndex: at,
              step: step.id,
              baseline: baselines.has(`${at}:${index}`),
            },
          ]
        : [],
    ),
  )
}

/** The result of a background command comes from the output that later steps read. */
function backgroundResult(check: CheckFact, step: StepFacts, facts: readonly StepFacts[], at: number): Partial<CheckFact> {
  if (check.inBackground === null) return {}
  const reads = facts.slice(at + 1).flatMap(({ reads: read }) => (read?.ids.some((id) => step.background?.includes(id)) ? [read] : []))
  if (reads.length === 0) return { result: 'unclear', why: 'ran in the background; its output was not read' }
  const code = reads.findLast(({ exitCode }) => exitCode !== null)?.exitCode ?? null
  const { status, followed } = check.inBackground
  return checkResult({
    kind: check.kind,
    status: code === null && status?.by === 'exit' ? null : status,
    followed,
    outcome: code === null ? 'unknown' : code === 0 ? 'success' : 'failure',
    exitCode: code,
    report: joinReports(reads.map(({ report }) => report)),
    neverStarted: null,
    isTimedOut: false,
  })
}

function isCovered(check: Check, checks: readonly Check[]): boolean {
  const from = checks.indexOf(check)
  return checks.some(
    (later, index) =>
      index > from && later.kind === check.kind && later.result === 'passed' && !later.baseline && covers(later.scope, check.scope),
  )
}

function stateOf(checks: readonly Check[], deciding: readonly Check[]): { state: Verification; open: boolean; by: Check[] } {
  const last = (kind: CheckKind) => deciding.findLast((check) => check.kind === kind)
  const [test, build, lint] = [last('test'), last('build'), last('lint')]
  if (!test) {
    const by = [build, lint].filter((check) => check !== undefined)
    const results = new Set(by.map(({ result }) => result))
    if (results.has('failed')) return { state: 'failed', open: false, by }
    if (build?.result === 'passed') return { state: 'passed', open: false, by }
    if (results.has('unclear')) return { state: 'unclear', open: false, by }
    if (lint) return { state: 'none', open: false, by }
    const notStarted = checks.filter(({ result, baseline }) => result === 'not_run' && !baseline)
    return notStarted.length > 0 ? { state: 'unclear', open: false, by: notStarted.slice(-1) } : { state: 'none', open: false, by: [] }
  }
  if (test.result === 'failed') return { state: 'failed', open: false, by: [test] }
  const uncovered = deciding.filter((check) => check.kind === 'test' && check.result === 'failed' && !isCovered(check, deciding))
  const failedAfterTest = (check: Check | undefined) =>
    check !== undefined && check.result === 'failed' && deciding.indexOf(check) > deciding.indexOf(test)
  const isUnclear = uncovered.length > 0 || failedAfterTest(build)
  return {
    state: isUnclear || test.result !== 'passed' ? 'unclear' : 'passed',
    open: isUnclear || failedAfterTest(lint),
    by: [test, ...(failedAfterTest(build) ? [build!] : []), ...(failedAfterTest(lint) ? [lint!] : [])],
  }
}

function redThenGreen(checks: readonly Check[]): ReadonlySet<string> {
  const isGreenByStep = new Map<string, boolean>()
  for (const check of checks) {
    if (check.result !== 'failed') continue
    isGreenByStep.set(check.step, (isGreenByStep.get(check.step) ?? true) && check.kind === 'test' && isCovered(check, checks))
  }
  return new Set([...isGreenByStep].flatMap(([step, isGreen]) => (isGreen ? [step] : [])))
}

/** Whether reported failures were never cleared, by a later pass of all tests or a success of the same command. */
function hasOpenRed(facts: readonly StepFacts[], deciding: readonly Check[], baselines: ReadonlySet<string>): boolean {
  const lastGreen =
    deciding.findLast(({ kind, result, scope }) => kind === 'test' && result === 'passed' && isWhole(scope))?.stepIndex ?? -1
  const cleared = new Set<string>()
  for (let at = facts.length - 1; at > lastGreen; at--) {
    const step = facts[at]!
    if (step.red === null) {
      if (step.outcome === 'success') cleared.add(step.key)
    } else if (!baselines.has(`${at}`) && !cleared.has(step.key)) return true
  }
  return false
}
