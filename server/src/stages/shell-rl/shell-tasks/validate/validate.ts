import { isoOf } from '#server/instant.ts'
import {
  type ShellEvidence,
  type ShellTaskBody,
  type ShellValidation,
  type ShellVerdict,
  ShellVerdictName,
} from '#contracts/entities/shell-task.ts'
import { IMAGE_ENGINE } from '#server/stages/sandboxes/index.ts'
import { needsDocker } from '../needs-docker.ts'
import { differing } from './differing.ts'
import { findLeak, clockOf } from './leak.ts'
import { inFreshSandbox, MAX_OUTPUT, type TaskSandbox, type TaskSandboxDeps, PRUNED, type CommandRun } from './task-sandbox.ts'
import { TASK_GUARD } from '../guard.ts'
import { trivialActions, type TrivialAction, type ActionResult, tryAll, tryOne } from './trivial.ts'

/** Results of a model's rollouts on the task. */
export interface SolvedCount {
  solved: number
  failed: number
  /** How many were requested; rollouts without a result count neither as solved nor as failed. */
  of: number
  /** The share of solved rollouts that makes the task solvable. */
  threshold: number
}

export interface ValidateDeps extends TaskSandboxDeps {
  now: () => number
  rollouts?: SolvedCount | null
  /** How often the validation is tried when the engine fails. */
  tries?: number
}

type Task = Pick<ShellTaskBody, 'task' | 'setup' | 'check' | 'referenceSolution'>

const LISTING = String.raw`find / -xdev ${PRUNED} -o -type d -printf 'd %m %U:%G %p\n' -o -printf '%y %m %U:%G %s %C@ %l %p\n' | LC_ALL=C sort`
const MAX_SHOWN = 5
/** The trivial actions are our own commands, so guardrails against models do not apply. */
const UNGUARDED = { ...TASK_GUARD, 'remove-protected': 'allow', 'remove-below-root': 'allow' } as const
/** How many trivial actions are tried in separate sandboxes if one sandbox cannot try them all. */
const MAX_ALONE = 60

/** Finds the six verdicts on a task. Retries if the engine fails; verdicts that are then still missing are unknown. Throws the reason of `signal`. */
export async function validateTask(task: Task, deps: ValidateDeps, signal: AbortSignal): Promise<ShellValidation> {
  const began = performance.now()
  const findings: Findings = { engine: 'unknown', verdicts: [] }
  let failure: Error | null = null
  for (let triesLeft = deps.tries ?? 3; triesLeft > 0; triesLeft -= 1) {
    findings.verdicts = []
    try {
      await examine(task, deps, { signal, findings })
      failure = null
      break
    } catch (error) {
      signal.throwIfAborted()
      failure = error as Error
    }
  }
  const { verdicts } = findings
  if (failure !== null)
    for (const name of ShellVerdictName.options)
      if (!verdicts.some((one) => one.name === name))
        verdicts.push({ name, verdict: 'unknown', evidence: [note(`The sandbox failed: ${failure.message}`)] })
  return {
    status: verdicts.some(({ verdict }) => verdict === 'fail')
      ? 'invalid'
      : verdicts.some(({ verdict }) => verdict === 'unknown')
        ? 'unknown'
        : 'valid',
    verdicts: verdicts.toSorted((a, b) => ShellVerdictName.options.indexOf(a.name) - ShellVerdictName.options.indexOf(b.name)),
    engine: findings.engine,
    imageDigest: null,
    at: isoOf(deps.now()),
    durationMs: Math.round(performance.now() - began),
  }
}

interface Findings {
  engine: string
  verdicts: ShellVerdict[]
}

interface Context {
  signal: AbortSignal
  findings: Findings
}

/** The first sandbox is examined without a solution, the second is solved. If the check changes files, the solution gets a third one. */
async function examine(task: Task, deps: ValidateDeps, { signal, findings }: Context): Promise<void> {
  const first = await inFreshSandbox(deps, signal, (sandbox) => examineUnsolved(sandbox, task, findings, deps))
  if (first === null) return
  const second = await inFreshSandbox(deps, signal, async (sandbox) => {
    const setUp = await sandbox.setUp(task, 'second fresh sandbox')
    if (!setUp.isDone) return { isDone: false as const, evidence: setUp.evidence }
    const check = await sandbox.check(task, 'The check in a second fresh sandbox, without a solution.')
    const solved = task.referenceSolution !== null && first.isUnchanged ? await solve(sandbox, task, task.referenceSolution) : null
    return { isDone: true as const, check, solved }
  })
  if (!second.isDone) {
    findings.verdicts = [failedSetUp(task, findings.engine, second.evidence)]
    return
  }
  findings.verdicts.push(untouched([...first.checks, second.check]))
  let { solved } = second
  if (solved === null && task.referenceSolution !== null) solved = await solvedAlone(task, task.referenceSolution, deps, signal)
  findings.verdicts.push(solvable(solved, deps.rollouts ?? null))
  findings.verdicts.push(await notTrivial(task, first, deps, signal))
}

interface First {
  checks: CommandRun[]
  isUnchanged: boolean
  /** The results of the trivial actions; null if they are not known. */
  tried: Awaited<ReturnType<typeof tryAll>>
  actions: TrivialAction[]
}

/** Null if the set-up failed. */
async function examineUnsolved(sandbox: TaskSandbox, task: Task, findings: Findings, deps: ValidateDeps): Promise<First | null> {
  findings.engine = sandbox.engine
  const since = await clockOf(sandbox)
  const setUp = await sandbox.setUp(task, 'first fresh sandbox')
  const evidence = setUp.evidence.length > 0 ? setUp.evidence : [note('The task has no set-up commands.')]
  findings.verdicts.push(setUp.isDone ? { name: 'setup_ok', verdict: 'pass', evidence } : failedSetUp(task, sandbox.engine, evidence))
  if (!setUp.isDone) return null
  findings.verdicts.push(await findLeak(sandbox, task, { since, output: setUp.output }))
  const before = await listing(sandbox)
  const checks = [await sandbox.check(task, 'The check without a solution.'), await sandbox.check(task, 'The check a second time.')]
  const after = await listing(sandbox)
  const changed = before !== null && after !== null ? differing(before, after) : null
  findings.verdicts.push(sideEffects(changed, checks))
  const actions = trivialActions(task)
  const isRefused = checks.every(({ outcome }) => outcome === 'refused')
  const limitSec = Math.min(deps.commandTimeoutSec ?? 30, 10)
  const tried = !isRefused ? null : actions.length === 0 ? { passed: [], neither: [] } : await tryAll(sandbox, task, { actions, limitSec })
  return { checks, isUnchanged: changed?.length === 0, tried, actions }
}

/** Not a failure of the task if another engine may be able to set it up. */
function failedSetUp({ setup }: Task, engine: string, evidence: ShellEvidence[]): ShellVerdict {
  const need = engine === IMAGE_ENGINE ? null : needsDocker(setup)
  return { name: 'setup_ok', verdict: need === null ? 'fail' : 'unknown', evidence: need === null ? evidence : [note(need), ...evidence] }
}

function untouched(checks: readonly CommandRun[]): ShellVerdict {
  const evidence = checks.map((one) => one.evidence)
  const verdict = checks.some(({ outcome }) => outcome === 'passed') ? 'fail' : checks.some(({ outcome }) => outcome === 'neither') ? 'unknown' : 'pass' // prettier-ignore
  return { name: 'fails_untouched', verdict, evidence }
}

async function listing(sandbox: TaskSandbox): Promise<string[] | null> {
  const { outcome, output, truncated } = await sandbox.run(LISTING, { note: '' })
  return outcome === 'passed' && !truncated && output.length < MAX_OUTPUT ? output.split('\n') : null
}

function sideEffects(changed: readonly string[] | null, checks: readonly CommandRun[]): ShellVerdict {
  const name = 'side_effect_free'
  if (changed === null) return { name, verdict: 'unknown', evidence: [note('The files could not be listed.')] }
  if (changed.length > 0) {
    const evidence = changed.slice(0, MAX_SHOWN).map((one) => note(`The check ${one}.`))
    return { name, verdict: 'fail', evidence }
  }
  const wasStopped = checks.some(({ outcome }) => outcome === 'neither')
  const evidence = [note(wasStopped ? 'No file had changed when the check was stopped.' : 'No file changed while the check ran twice.')]
  return { name, verdict: wasStopped ? 'unknown' : 'pass', evidence }
}

async function solve(sandbox: TaskSandbox, task: Task, solution: string): Promise<CommandRun[]> {
  const solutionRun = await sandbox.solve(solution)
  if (isBlocked(solutionRun)) return [solutionRun] // another solution may be allowed
  const checks = [
    await sandbox.check(task, 'The check after the reference solution.'),
    await sandbox.check(task, 'The check a second time after it.'),
  ]
  return [solutionRun, ...checks]
}

/** A blocked command has no exit code. */
const isBlocked = ({ outcome, evidence }: CommandRun): boolean => outcome === 'refused' && evidence.exitCode === null

const solvedAlone = (task: Task, solution: string, deps: ValidateDeps, signal: AbortSignal): Promise<CommandRun[]> =>
  inFreshSandbox(deps, signal, async (sandbox) => {
    const { isDone, evidence } = await sandbox.setUp(task, 'third fresh sandbox')
    return isDone ? solve(sandbox, task, solution) : [{ outcome: 'neither', output: '', truncated: false, evidence: evidence[0]! }]
  })

function solvable(solved: readonly CommandRun[] | null, rollouts: SolvedCount | null): ShellVerdict {
  const name = 'solvable'
  const evidence: ShellEvidence[] = [...(solved?.map((one) => one.evidence) ?? [])]
  const verdicts: ShellVerdict['verdict'][] = []
  if (solved) {
    const checks = solved.slice(1)
    const isKnown = checks.length > 0 && checks.every(({ outcome }) => outcome !== 'neither')
    verdicts.push(!isKnown ? 'unknown' : checks.every(({ outcome }) => outcome === 'passed') ? 'pass' : 'fail')
  }
  if (rollouts) {
    const { solved: done, failed, of, threshold } = rollouts
    evidence.push(note(`${done} of ${of} rollouts solved it, ${failed} did not; the required share is ${threshold}.`))
    verdicts.push(done / of >= threshold ? 'pass' : (of - failed) / of < threshold ? 'fail' : 'unknown')
  }
  if (verdicts.length === 0) evidence.push(note('There are no reference solution and no rollouts.'))
  const verdict = verdicts.includes('pass') ? 'pass' : verdicts.length === 0 || verdicts.includes('unknown') ? 'unknown' : 'fail'
  return { name, verdict, evidence }
}

async function notTrivial(task: Task, { checks, tried, actions }: First, deps: ValidateDeps, signal: AbortSignal): Promise<ShellVerdict> {
  const name = 'not_trivial'
  if (checks.some(({ outcome }) => outcome === 'passed'))
    return { name, verdict: 'fail', evidence: [note('The check passes without a solution.')] }
  const alone = (action: TrivialAction): Promise<ActionResult | null> =>
    inFreshSandbox({ ...deps, guard: UNGUARDED }, signal, async (sandbox) =>
      (await sandbox.setUp(task, 'fresh sandbox')).isDone ? tryOne(sandbox, task, action) : null,
    )
  const suspects = tried?.passed ?? actions.slice(0, MAX_ALONE)
  let wasStopped = (tried?.neither.length ?? 0) > 0 || checks.some(({ outcome }) => outcome === 'neither')
  for (const action of suspects) {
    const one = await alone(action)
    if (one?.outcome === 'passed') return { name, verdict: 'fail', evidence: [one.evidence] }
    if (one?.outcome === 'neither') {
      wasStopped = true
      break
    }
  }
  const list = [...new Set(actions.map(({ path }) => path))]
  const done = list.length === 0 ? 'The task mentions no path that a trivial action could change.' : `${actions.length} trivial actions on ${list.join(', ')} do not pass the check.` // prettier-ignore
  if (wasStopped)
    return { name, verdict: 'unknown', evidence: [note('The check was stopped or killed, so trivial actions could not be tested.')] }
  if (tried === null && actions.length > MAX_ALONE) return { name, verdict: 'unknown', evidence: [note(`Only ${MAX_ALONE} of ${actions.length} trivial actions were tried.`)] } // prettier-ignore
  return { name, verdict: 'pass', evidence: [note(done)] }
}

const note = (text: string): ShellEvidence => ({ note: text, command: null, exitCode: null, timedOut: false, outputTail: '', ms: null })
