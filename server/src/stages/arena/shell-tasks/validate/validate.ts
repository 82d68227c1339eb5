import { isoOf } from '#contracts/instant.ts'
import {
  type ShellEvidence,
  type ShellTaskBody,
  type ShellValidation,
  type ShellVerdict,
  ShellVerdictName,
} from '#contracts/entities/shell-task.ts'
import { differing } from './differing.ts'
import { findLeak, momentIn } from './leak.ts'
import { inPlace, MAX_OUTPUT, type Place, type PlaceDeps, PRUNED, type Ran } from './place.ts'
import { trivialActions, type TrivialAction, type Tried, tryAll, tryOne } from './trivial.ts'

/** Rollouts of a model on the task that have a result. */
export interface SolvedCount {
  solved: number
  failed: number
  /** How many were asked for; those without a result are missing from both. */
  of: number
  /** Share of them that makes the task solvable. */
  threshold: number
}

export interface ValidateDeps extends PlaceDeps {
  now: () => number
  rollouts?: SolvedCount | null
  /** How often it is begun again when the engine fails. */
  tries?: number
}

type Task = Pick<ShellTaskBody, 'task' | 'setup' | 'check' | 'referenceSolution'>

const LISTING = String.raw`find / -xdev ${PRUNED} -o -type d -printf 'd %m %U:%G %p\n' -o -printf '%y %m %U:%G %s %C@ %l %p\n' | LC_ALL=C sort`
const MAX_SHOWN = 5
/** What is tried is ours, not a model's. */
const UNGUARDED = { 'chmod-777': 'allow', 'remove-protected': 'allow', 'remove-below-root': 'allow' } as const
/** Trivial actions that are tried in their own sandboxes, where one sandbox cannot do for all. */
const MAX_ALONE = 60

/** Finds the six verdicts on a task. A failure of the engine is tried again, and then leaves verdicts unknown. Throws the reason of `signal`. */
export async function validateTask(task: Task, deps: ValidateDeps, signal: AbortSignal): Promise<ShellValidation> {
  const began = performance.now()
  const known: Known = { engine: 'unknown', verdicts: [] }
  let failure: Error | null = null
  for (let left = deps.tries ?? 3; left > 0; left -= 1) {
    known.verdicts = []
    try {
      await examine(task, deps, { signal, known })
      failure = null
      break
    } catch (error) {
      signal.throwIfAborted()
      failure = error as Error
    }
  }
  const { verdicts } = known
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
    engine: known.engine,
    imageDigest: null,
    at: isoOf(deps.now()),
    durationMs: Math.round(performance.now() - began),
  }
}

interface Known {
  engine: string
  verdicts: ShellVerdict[]
}

interface Context {
  signal: AbortSignal
  known: Known
}

/** The first sandbox is looked at untouched, the second is solved; what changed by looking is done again in a further one. */
async function examine(task: Task, deps: ValidateDeps, { signal, known }: Context): Promise<void> {
  const first = await inPlace(deps, signal, (place) => lookAt(place, task, known, deps))
  if (first === null) return
  const second = await inPlace(deps, signal, async (place) => {
    const setUp = await place.setUp(task, 'second fresh sandbox')
    if (!setUp.isDone) return { isDone: false as const, evidence: setUp.evidence }
    const check = await place.check(task, 'The check in a second fresh sandbox where nothing was done.')
    const solved = task.referenceSolution !== null && first.isUnchanged ? await solve(place, task, task.referenceSolution) : null
    return { isDone: true as const, check, solved }
  })
  if (!second.isDone) {
    known.verdicts = [{ name: 'setup_ok', verdict: 'fail', evidence: second.evidence }]
    return
  }
  known.verdicts.push(untouched([...first.checks, second.check]))
  let { solved } = second
  if (solved === null && task.referenceSolution !== null) solved = await solvedAlone(task, task.referenceSolution, deps, signal)
  known.verdicts.push(solvable(solved, deps.rollouts ?? null))
  known.verdicts.push(await notTrivial(task, first, deps, signal))
}

interface First {
  checks: Ran[]
  isUnchanged: boolean
  /** What the trivial actions did there; null: not found out. */
  tried: Awaited<ReturnType<typeof tryAll>>
  actions: TrivialAction[]
}

/** Null: its set-up failed. */
async function lookAt(place: Place, task: Task, known: Known, deps: ValidateDeps): Promise<First | null> {
  known.engine = place.engine
  const since = await momentIn(place)
  const setUp = await place.setUp(task, 'first fresh sandbox')
  const evidence = setUp.evidence.length > 0 ? setUp.evidence : [note('The task has no set-up commands.')]
  known.verdicts.push({ name: 'setup_ok', verdict: setUp.isDone ? 'pass' : 'fail', evidence })
  if (!setUp.isDone) return null
  known.verdicts.push(await findLeak(place, task, { since, output: setUp.output }))
  const before = await listing(place)
  const checks = [await place.check(task, 'The check where nothing was done.'), await place.check(task, 'The check once more.')]
  const after = await listing(place)
  const changed = before !== null && after !== null ? differing(before, after) : null
  known.verdicts.push(sideEffects(changed, checks))
  const actions = trivialActions(task)
  const isRefused = checks.every(({ outcome }) => outcome === 'refused')
  const limitSec = Math.min(deps.commandTimeoutSec ?? 30, 10)
  const tried = !isRefused ? null : actions.length === 0 ? { passed: [], neither: [] } : await tryAll(place, task, { actions, limitSec })
  return { checks, isUnchanged: changed?.length === 0, tried, actions }
}

function untouched(checks: readonly Ran[]): ShellVerdict {
  const evidence = checks.map((one) => one.evidence)
  const verdict = checks.some(({ outcome }) => outcome === 'passed') ? 'fail' : checks.some(({ outcome }) => outcome === 'neither') ? 'unknown' : 'pass' // prettier-ignore
  return { name: 'fails_untouched', verdict, evidence }
}

async function listing(place: Place): Promise<string[] | null> {
  const { outcome, output, truncated } = await place.run(LISTING, { note: '' })
  return outcome === 'passed' && !truncated && output.length < MAX_OUTPUT ? output.split('\n') : null
}

function sideEffects(changed: readonly string[] | null, checks: readonly Ran[]): ShellVerdict {
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

async function solve(place: Place, task: Task, solution: string): Promise<Ran[]> {
  const done = await place.solve(solution)
  const checks = [
    await place.check(task, 'The check after the reference solution.'),
    await place.check(task, 'The check once more after it.'),
  ]
  return [done, ...checks]
}

const solvedAlone = (task: Task, solution: string, deps: ValidateDeps, signal: AbortSignal): Promise<Ran[]> =>
  inPlace(deps, signal, async (place) => {
    const { isDone, evidence } = await place.setUp(task, 'third fresh sandbox')
    return isDone ? solve(place, task, solution) : [{ outcome: 'neither', output: '', truncated: false, evidence: evidence[0]! }]
  })

function solvable(solved: readonly Ran[] | null, rollouts: SolvedCount | null): ShellVerdict {
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
    evidence.push(note(`${done} of ${of} rollouts solved it, ${failed} did not; ${threshold} of them are wanted.`))
    verdicts.push(done / of >= threshold ? 'pass' : (of - failed) / of < threshold ? 'fail' : 'unknown')
  }
  if (verdicts.length === 0) evidence.push(note('There is no reference solution, and no rollout was made.'))
  const verdict = verdicts.includes('pass') ? 'pass' : verdicts.length === 0 || verdicts.includes('unknown') ? 'unknown' : 'fail'
  return { name, verdict, evidence }
}

async function notTrivial(task: Task, { checks, tried, actions }: First, deps: ValidateDeps, signal: AbortSignal): Promise<ShellVerdict> {
  const name = 'not_trivial'
  if (checks.some(({ outcome }) => outcome === 'passed'))
    return { name, verdict: 'fail', evidence: [note('The check passes where nothing was done.')] }
  const alone = (action: TrivialAction): Promise<Tried | null> =>
    inPlace({ ...deps, guard: UNGUARDED }, signal, async (place) =>
      (await place.setUp(task, 'fresh sandbox')).isDone ? tryOne(place, task, action) : null,
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
  const done = list.length === 0 ? 'The task names no path that a trivial action could touch.' : `${actions.length} trivial actions on ${list.join(', ')} do not pass the check.` // prettier-ignore
  if (wasStopped)
    return { name, verdict: 'unknown', evidence: [note('The check was stopped or killed, so trivial actions could not be judged.')] }
  if (tried === null && actions.length > MAX_ALONE) return { name, verdict: 'unknown', evidence: [note(`Only ${MAX_ALONE} of ${actions.length} trivial actions were tried.`)] } // prettier-ignore
  return { name, verdict: 'pass', evidence: [note(done)] }
}

const note = (text: string): ShellEvidence => ({ note: text, command: null, exitCode: null, timedOut: false, outputTail: '', ms: null })
