import type { Episode, EpisodeForm, EpisodeLimits, RolloutSettings, RolloutTask } from '#contracts/entities/rollout.ts'
import { AppError } from '#contracts/errors.ts'
import { withRetries } from '#server/adapters/llm/index.ts'
import { type EpisodeEnd, type EpisodeTurn, type OpenModel, runEpisode } from '#server/stages/agents/index.ts'
import { sentenceOf } from '#server/refusals.ts'
import { rewardOf } from '../rewards/reward.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { type Attempt, openAttempt } from '../shell-tasks/attempt.ts'
import { actionOf } from './form.ts'

export interface EpisodeWork {
  task: RolloutTask
  settings: RolloutSettings
  model: string | null
  open: OpenModel
  /** The title of the sandbox. */
  name: string
  /** The index of the episode in the set; added to the seed. */
  place: number
  set: string
  onSandbox: (id: string) => void
  onTurn: (turn: EpisodeTurn) => void
  signal: AbortSignal
}

/** The result of an episode, before it is compared with its group. */
export type EpisodeOutcome = Omit<Episode, 'id' | 'taskId' | 'group' | 'attempt' | 'advantage' | 'startedAt'>

const HELP = /(?:^|\s)(?:--help|-h)(?:\s|$)|^\s*(?:man|help|info)\s/
const TAIL = 2000

/** Performs one attempt at a task and computes its reward. Throws the reason of `signal`, or if Bash Gym itself failed. */
export async function performEpisode(sandboxes: Sandboxes, work: EpisodeWork): Promise<EpisodeOutcome> {
  const { task, settings, signal } = work
  const began = performance.now()
  const totals = tally()
  const outcome = (of: Partial<EpisodeOutcome> & Pick<EpisodeOutcome, 'status' | 'how'>): EpisodeOutcome => ({
    ...totals.facts(),
    success: null,
    reward: null,
    terms: null,
    check: null,
    error: null,
    durationMs: performance.now() - began,
    ...of,
  })
  const failed = (boundary: NonNullable<Episode['error']>['boundary'], error: unknown, more: Partial<EpisodeOutcome> = {}) =>
    outcome({ ...more, status: 'error', how: 'error', error: { boundary, message: sentenceOf(error) } })

  let attempt: Attempt
  try {
    attempt = await openAttempt(sandboxes, attemptOf(work), signal)
  } catch (error) {
    signal.throwIfAborted()
    return failed(isSetUpError(error) ? 'setup' : 'engine', error)
  }
  try {
    work.onSandbox(attempt.sandboxId)
    const end = await play(attempt, work, (turn) => {
      totals.add(turn)
      work.onTurn(turn)
    })
    if (end.how === 'cost') return failed('endpoint', new Error('The cost limit of the set does not cover its next request.'))
    if (end.how === 'error') return failed(end.whose === 'model' ? 'endpoint' : 'engine', end.error)
    if (end.how === 'corrupted') return outcome({ status: 'corrupted', how: end.how })
    const scored = (success: boolean, check: Episode['check']) => {
      const { turns, nonzeroExitCodes } = totals.facts()
      return outcome({ status: 'ok', how: end.how, success, check, ...rewardOf({ success, turns, nonzeroExitCodes }, settings.policy) })
    }
    if (end.how === 'context') return scored(false, null)
    const checked = await attempt.check(task.check, { timeoutSec: settings.limits.checkSec, signal })
    const { exitCode, timedOut, output, durationMs: ms } = checked
    const check = { exitCode, timedOut, outputTail: output.slice(-TAIL), ms }
    if (checked.passed === null) return failed('check', checkError(checked.timedOut, settings.limits), { check })
    return scored(checked.passed, check)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof AppError)) throw error
    return failed(error.code === 'command_blocked' ? 'check' : 'engine', error)
  } finally {
    await attempt.end()
  }
}

const attemptOf = ({ task, settings: { limits }, name, set }: EpisodeWork) => ({
  setup: task.setup,
  name,
  labels: { rollouts: set },
  commandSec: limits.commandSec,
  outputBytes: limits.outputBytes,
})

function play(attempt: Attempt, { task, settings, model, open, place, signal }: EpisodeWork, onTurn: (turn: EpisodeTurn) => void) {
  const { limits, form, seed, temperature, logprobs = false } = settings
  const action = actionOf(form)
  return runEpisode({
    system: systemOf(form),
    messages: [{ role: 'user', content: task.task }],
    model,
    limits: {
      turns: limits.turns,
      tokensATurn: limits.newTokens,
      contextTokens: limits.contextTokens,
      tokens: null,
      costUsd: null,
      temperature,
    },
    commandOf: (text) => action.commandOf(text),
    async ask(request, stop) {
      const asked = { ...request, ...action.request, logprobs, ...(seed !== null && { seed: (seed + place) % 2_147_483_647 }) }
      return action.answer(await withRetries(() => open.ask(asked, stop), { signal: stop }))
    },
    run: (command, stop) => action.run(command, () => attempt.run(command, stop)),
    onTurn,
    signal,
  }) satisfies Promise<EpisodeEnd>
}

/** Counts the turns and exit codes of an episode as they arrive. */
function tally() {
  const codes: number[] = []
  let [helpCalls, timeouts, truncatedOutputs, inputTokens, outputTokens] = [0, 0, 0, 0, 0]
  let costUsd: number | null = null
  return {
    add(turn: EpisodeTurn): void {
      codes.push(turn.exitCode)
      if (HELP.test(turn.command)) helpCalls += 1
      if (turn.timedOut) timeouts += 1
      if (turn.truncated) truncatedOutputs += 1
      inputTokens += turn.usage.input
      outputTokens += turn.usage.output
      if (turn.costUsd !== null) costUsd = (costUsd ?? 0) + turn.costUsd
    },
    facts: () => ({
      turns: codes.length,
      nonzeroExitCodes: codes.filter((code) => code !== 0).length,
      codes: [...codes],
      helpCalls,
      timeouts,
      truncatedOutputs,
      inputTokens: codes.length === 0 ? null : inputTokens,
      outputTokens: codes.length === 0 ? null : outputTokens,
      costUsd,
    }),
  }
}

const isSetUpError = (error: unknown) => error instanceof AppError && (error.code === 'setup_failed' || error.code === 'command_blocked')

const checkError = (timedOut: boolean, { checkSec }: EpisodeLimits) =>
  new Error(timedOut ? `The check took longer than ${checkSec} s.` : 'The check was killed before it gave an answer.')

const SHELL =
  'You work at a Linux shell (bash) as root. Its output is what you read next; the shell stays open from one command to the next. ' +
  'Lines that begin with # are yours to think in. When you are done, run `exit`.'

/** The system prompt; the task follows as the first message of the user. */
export const systemOf = (form: EpisodeForm): string =>
  form === 'command'
    ? `${SHELL} Everything that you write is run as it is, as one command: write nothing but commands, no prose and no Markdown.`
    : `${SHELL} Run one command at a time with the tool \`terminal\`.`
