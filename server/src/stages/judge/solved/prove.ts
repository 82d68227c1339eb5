import type { CheckReport } from '#contracts/entities/check.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { Checks } from '../../checks/index.ts'
import { comparedTests, gradeOf } from './grade.ts'

/** Folders of one state before, and what solves it. */
export interface ToProve {
  /** The state that an agent would get. */
  before: string
  /** The same with the files of the change emptied. */
  emptied: string
  /** The state after, which also has the checks. */
  reference: string
  project: string
  packages: { from: string; to: string }[]
}

export interface Proven {
  command: string
  mustPass: string[]
  mustStay: string[]
  proof: { base: true; red: true; gold: true; runs: number }
}

/** Why work is no task. */
export interface NotProven {
  reason: string
  detail: string | null
}

export const isProven = (found: Proven | NotProven): found is Proven => 'proof' in found

export interface ProveOptions {
  checks: Pick<Checks, 'runOfChange'>
  repeats: number
  timeoutSec: number
  /** GOLD was proven with the same reference before. */
  isGoldKnown?: boolean
  context: JobContext
}

/**
 * Proves a task with the checks of its reference: the state before fails them (BASE), an empty answer fails them (RED), the reference
 * passes them (GOLD). Everything is repeated; a task whose results differ is none.
 */
export async function prove(
  { before, emptied, reference, project, packages }: ToProve,
  { checks, repeats, timeoutSec, isGoldKnown = false, context }: ProveOptions,
): Promise<Proven | NotProven> {
  const run = (end: string) => checks.runOfChange({ start: reference, end, project, packages, timeoutSec }, context)
  const none = (reason: string, detail: string | null = null): NotProven => ({ reason, detail })
  const first = await run(before)
  const base = gradeOf(first)
  if (first.status === 'none' && first.command === null) return none('it has no checks')
  if (base === 'error' || first.before === null)
    return none('its checks cannot be run in a sandbox', first.reason ?? last(first.outputTail))
  if (base === 'pass') return none('its checks pass before the change, too')
  const { mustPass, mustStay } = comparedTests(first)
  if (first.tests.length === 0 && first.before.tests.length === 0) return none('its checks do not list their tests', first.command)
  if (first.before.tests.length >= MAX_TESTS) return none('it has too many tests', `${MAX_TESTS} and more`)
  if (mustPass.length === 0) return none('no test fails before and passes after', first.reason)
  if (!isGoldKnown) {
    const gold = await run(reference)
    const { mustPass: differs } = comparedTests(gold) // both runs had the same files
    if (differs.length > 0) return none(FLAKY, differs.slice(0, 3).join(', '))
    if (gradeOf(gold) !== 'pass') return none('its checks fail on the state after', whyOf(gold))
  }
  for (let n = 1; n < repeats; n += 1) {
    const again = await run(before)
    const now = comparedTests(again)
    const changed = [...differing(mustPass, now.mustPass), ...differing(mustStay, now.mustStay)]
    if (gradeOf(again) !== base || changed.length > 0) return none(FLAKY, changed.slice(0, 3).join(', ') || whyOf(again))
    if (isGoldKnown) continue
    const gold = await run(reference)
    if (gradeOf(gold) !== 'pass') return none(FLAKY, whyOf(gold))
  }
  for (let n = 0; n < repeats; n += 1) if (gradeOf(await run(emptied)) === 'pass') return none('an empty answer passes its checks')
  return { command: first.command ?? '', mustPass, mustStay, proof: { base: true, red: true, gold: true, runs: repeats } }
}

const FLAKY = 'flaky: its checks differ on the same files'
/** As many tests as a report has. */
const MAX_TESTS = 5000

const last = (text: string): string | null => text.trim().split('\n').at(-1)?.slice(0, 300) || null
const whyOf = ({ reason, newFailures, outputTail }: CheckReport): string | null =>
  reason ?? (newFailures.length > 0 ? newFailures.slice(0, 3).join(', ') : last(outputTail))

const differing = (a: readonly string[], b: readonly string[]): string[] => [...new Set(a).symmetricDifference(new Set(b))]
