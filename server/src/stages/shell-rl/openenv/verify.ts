import type { CheckOutcome } from '../shell-tasks/attempt.ts'
import type { EnvironmentSandbox } from './sandbox.ts'
import { isFields } from './wire.ts'

export interface CommandResult {
  command: string
  output: string
  error: string | null
  success: boolean
  exit_code: number | null
  timed_out: boolean
  duration_ms: number
}

export interface Verdict {
  /** From 0 to 1; null without a score, or if there is an `error`. */
  value: number | null
  passed: number
  results: CommandResult[]
  /** Why the checks gave no result; null if they gave one. Never the agent's fault. */
  error: string | null
}

const MAX_BYTES = 1024 * 1024
const PLACES = ['/logs', '/home/user/logs'] as const
/** Clears the reward folders after the agent has ended, so that only the checks can write a reward. */
const CLEAR_REWARDS = `for place in ${PLACES.join(' ')}; do
if [ -L "$place" ] || [ -e "$place" ] && [ ! -d "$place" ]; then rm -f -- "$place"; fi
rm -rf -- "$place/verifier"; mkdir -p -- "$place/verifier" || exit 1
done`

/** Ends the agent, then runs each check in its own process. If the checks write a reward file, it replaces the share of passed checks. */
export async function verify(
  sandbox: EnvironmentSandbox,
  commands: readonly string[],
  { checkSec, signal }: { checkSec: number; signal: AbortSignal },
): Promise<Verdict> {
  const results: CommandResult[] = []
  const failed = (error: string): Verdict => ({ value: null, passed: results.filter(({ success }) => success).length, results, error })
  try {
    const cleared = await sandbox.check(CLEAR_REWARDS, { timeoutSec: checkSec, signal })
    if (cleared.passed !== true)
      return failed(`The folder of the verifier could not be created: ${cleared.output.trim() || `exit code ${cleared.exitCode}`}`)
    for (const [index, command] of commands.entries()) {
      const checked = await sandbox.check(command, { timeoutSec: checkSec, signal })
      results.push(resultOf(command, checked))
      if (signal.aborted)
        return failed(`The step reached its deadline during check ${index + 1}. Raise --step-timeout and --message-timeout.`)
      if (checked.passed === null)
        return failed(`Check ${index + 1} gave no result: ${checked.timedOut ? `it took longer than ${checkSec} s` : 'it was killed'}.`)
    }
    const written = await writtenReward(sandbox)
    const passed = results.filter(({ success }) => success).length
    if (written !== null) return { value: written, passed, results, error: null }
    return { value: commands.length === 0 ? null : passed / commands.length, passed, results, error: null }
  } catch (error) {
    return failed(signal.aborted ? 'The step reached its deadline before the checks ended.' : (error as Error).message)
  }
}

/** The reward in the reward files of the checks; null if there are none. Throws if a file has no valid reward or the files disagree. */
async function writtenReward(sandbox: EnvironmentSandbox): Promise<number | null> {
  const found: number[] = []
  for (const place of PLACES) {
    for (const name of ['reward.txt', 'reward.json'] as const) {
      const file = `${place}/verifier/${name}`
      const text = await sandbox.read(file, MAX_BYTES)
      if (text !== null) found.push(rewardIn(file, text))
    }
  }
  const [first] = found
  if (first !== undefined && found.some((one) => one !== first)) throw new Error('The reward files of the checks disagree.')
  return first ?? null
}

function rewardIn(file: string, text: string): number {
  const value = file.endsWith('.json')
    ? jsonReward(text)
    : /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text.trim())
      ? Number(text)
      : null
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0 || value > 1)
    throw new Error(`${file} does not contain a number from 0 to 1.`)
  return value
}

function jsonReward(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value['reward'] : null
  } catch {
    return null
  }
}

const resultOf = (command: string, { passed, output, exitCode, timedOut, durationMs }: CheckOutcome): CommandResult => ({
  command,
  output,
  error: passed === true ? null : timedOut ? 'timed out' : `exit code ${exitCode}`,
  success: passed === true,
  exit_code: exitCode,
  timed_out: timedOut,
  duration_ms: durationMs,
})
