import { randomUUID } from 'node:crypto'
import { RewardPolicy } from '#contracts/entities/rollout.ts'
import { AppError } from '#contracts/errors.ts'
import type { CommandOutput } from '#server/stages/agents/index.ts'
import { rewardOf } from '../rewards/reward.ts'
import type { EnvironmentConfig } from './config.ts'
import { ResetRefused, type ResetRequest, resetRequest } from './reset-request.ts'
import type { EnvironmentSandbox, OpenSandbox, SetUpResult } from './sandbox.ts'
import { type CommandResult, type Verdict, verify } from './verify.ts'
import {
  type Action,
  type Fields,
  type FileAction,
  type Observation,
  observed,
  STEP_TOOL,
  textResult,
  TOOL,
  type ToolErrorType,
} from './wire.ts'

/** How an episode ended. */
type Ending = 'answered' | 'exited' | 'turns' | 'ended' | 'cut_off'

interface Episode {
  id: string
  request: ResetRequest | null
  sandbox: EnvironmentSandbox | null
  status: 'none' | 'ready' | 'over'
  steps: number
  turns: number
  nonzero: number
  setUp: CommandResult[]
  commands: CommandResult[]
  verified: CommandResult[]
  answer: string | null
  reward: number | null
  error: string | null
  resolved: Record<string, unknown> | null
}

const NOT_RESET = 'Error: environment not reset. Call reset() first.'
const NEITHER = 'Error: command or final_answer is required.'
const OVER = 'The episode is over, so nothing was run. Call reset() for the next one.'
const NOTHING = '(no output)'
/** The work directory in the form `terminal`. The form `command` uses the same directory as validation and rollouts. */
const HOME = '/home/user'
const MAX_FILE_BYTES = 8 * 1024 * 1024
const POLICY = RewardPolicy.parse({})

/** Runs one episode at a time in a sandbox and computes its reward. Calls must not overlap. */
export class TerminalEnvironment {
  private episode = blank(randomUUID())
  private readonly config: EnvironmentConfig
  private readonly open: OpenSandbox

  constructor(config: EnvironmentConfig, open: OpenSandbox) {
    this.config = config
    this.open = open
  }

  get facts() {
    const { id, request, sandbox, steps, status, reward } = this.episode
    return { episodeId: id, taskId: request?.task?.id ?? null, sandboxId: sandbox?.id ?? null, steps, done: status === 'over', reward }
  }

  /** Throws `Invalid` for invalid values. A refused request or a failed start is returned as an observation. */
  async reset(data: Fields, stop: AbortSignal): Promise<Observation> {
    const requestedId = typeof data['episode_id'] === 'string' ? data['episode_id'] : null
    let request: ResetRequest
    try {
      request = resetRequest(data, this.config)
    } catch (error) {
      if (!(error instanceof ResetRefused)) throw error
      await this.end()
      this.episode = blank(requestedId ?? randomUUID())
      return this.failed(error.message)
    }
    await this.end()
    const episode = (this.episode = { ...blank(requestedId ?? randomUUID()), request })
    const signal = withDeadline(stop, this.config.deadlines.stepSec)
    try {
      episode.sandbox = await this.open(this.sandboxRequest(request, episode.id), signal)
    } catch (error) {
      stop.throwIfAborted()
      return this.failed(`failed to create the sandbox: ${reasonOf(error, this.config.deadlines.stepSec)}`)
    }
    try {
      const own = request.form === 'terminal' ? ['mkdir -p logs work'] : []
      const commands = [...own, ...request.setup]
      const results = commands.length === 0 ? [] : await episode.sandbox.setUp(commands, signal)
      episode.setUp = results.slice(own.length).map(setUpResult)
      const bad = results.find(({ exitCode, timedOut }) => exitCode !== 0 || timedOut)
      if (bad) return await this.lost(`set-up failed: ${setUpError(bad)}: ${bad.command.slice(0, 200)}`)
    } catch (error) {
      stop.throwIfAborted()
      return await this.lost(`set-up failed: ${reasonOf(error, this.config.deadlines.stepSec)}`)
    }
    episode.status = 'ready'
    episode.resolved = {
      backend: episode.sandbox.backend,
      image: request.image,
      form: request.form,
      reward: this.config.reward,
      max_turns: request.maxTurns,
    }
    return observed({}, { reward: null, done: false, metadata: this.readiness(episode, request) })
  }

  /** Throws only if Bash Gym itself fails. */
  async step(action: Action, stop: AbortSignal, timeoutSec?: number): Promise<Observation> {
    const { episode } = this
    const isOver = episode.status === 'over'
    if (episode.status !== 'none') episode.steps += 1
    if (action.type === 'list_tools') return observed({ tools: [STEP_TOOL] }, { reward: 0, done: isOver })
    const { stepSec } = this.config.deadlines
    const signal = withDeadline(stop, timeoutSec === undefined ? stepSec : Math.min(timeoutSec, stepSec))
    if (action.type === 'end_episode') return this.endEpisode(action.cut_off, signal)
    if (action.type !== 'call_tool') return this.file(action, signal, stop)
    const { tool_name: name, arguments: args } = action
    if (name !== TOOL) return this.refused(name, 'tool_not_found', `Unknown tool: '${name}'`)
    const problem = argumentProblem(args)
    if (problem !== null) return this.refused(name, 'invalid_args', problem)
    if (isOver) return this.over()
    if (episode.status === 'none') return this.textReply(NOT_RESET)
    const [command, answer] = [nonBlank(args['command']), nonBlank(args['final_answer'])]
    if (command !== null) return this.command(command, answer !== null, signal, stop)
    if (answer !== null) {
      episode.answer = answer
      episode.turns += 1
      return this.verified('answered', `Answer submitted: ${answer}`, signal)
    }
    if (episode.request!.form === 'command' && typeof args['command'] === 'string') return this.command('', false, signal, stop)
    return this.textReply(NEITHER)
  }

  state(): Record<string, unknown> {
    const { id, request, sandbox, steps, setUp, commands, verified, answer, reward, error, resolved } = this.episode
    return {
      episode_id: id,
      step_count: steps,
      sandbox_id: sandbox?.id ?? null,
      setup_results: setUp,
      verify_commands: request?.verify ?? [],
      verify_results: verified,
      commands,
      submitted_answer: answer,
      last_reward: reward,
      last_error: error,
      task_id: request?.task?.id ?? null,
      backend: sandbox?.backend ?? null,
      resolved,
    }
  }

  /** Resolves when the sandbox is removed. */
  async end(): Promise<void> {
    const { sandbox } = this.episode
    this.episode.sandbox = null
    await sandbox?.end()
  }

  /** Checks the work so far. Counts no turn, because the request is not a message of the agent; a message that was cut off is one. */
  private async endEpisode(isCutOff: boolean, signal: AbortSignal): Promise<Observation> {
    const { status } = this.episode
    if (status === 'none') return this.textReply(NOT_RESET)
    if (status === 'over') return this.over()
    return isCutOff ? this.cutOff() : this.verified('ended', 'The episode was ended.', signal)
  }

  /** Fails an episode without a check: with a check, never ending a message would be free once the work is done. */
  private cutOff(): Observation {
    const { episode } = this
    const { reward, terms } = this.rewardOfCutOff()
    episode.turns += 1
    Object.assign(episode, { status: 'over', reward })
    const metadata = {
      how: 'cut_off' satisfies Ending,
      success: false,
      checks: { passed: 0, total: episode.request!.verify.length },
      turns: episode.turns,
      nonzero_exit_codes: episode.nonzero,
      ...(terms && { reward_terms: { ...terms, turns: episode.turns, nonzero_exit_codes: episode.nonzero } }),
    }
    const text = 'The message was cut off, so the episode has failed.'
    return observed({ tool_name: TOOL, result: textResult(text), error: null }, { reward, done: true, metadata })
  }

  /** As if each message that was left had failed, so that no other failure costs more. */
  private rewardOfCutOff() {
    const { turns, nonzero, request } = this.episode
    if (request!.verify.length === 0) return { reward: null, terms: null }
    if (this.config.reward === 'fraction') return { reward: 0, terms: null }
    const all = Math.max(turns + 1, request!.maxTurns ?? 0)
    return rewardOf({ success: false, turns: all, nonzeroExitCodes: nonzero + all - turns }, POLICY)
  }

  private over(): Observation {
    const { error } = this.episode
    return this.refused(TOOL, 'execution_error', error === null ? OVER : `${OVER} It ended with: ${error}`)
  }

  /** Uses the file interface of the sandbox, never a shell. */
  private async file(action: FileAction, signal: AbortSignal, stop: AbortSignal): Promise<Observation> {
    const { sandbox, status } = this.episode
    const fileResult = (content: string | null, message: string | null, type: ToolErrorType = 'execution_error') =>
      observed(
        { path: action.path, content, error: message === null ? null : { error_type: type, message } },
        { reward: 0, done: status === 'over' },
      )
    if (status !== 'ready' || !sandbox) return fileResult(null, status === 'over' ? OVER : NOT_RESET)
    if (!action.path.startsWith('/')) return fileResult(null, 'path must be an absolute path inside the sandbox.', 'invalid_args')
    try {
      if (action.type === 'write_file') {
        await before(signal, sandbox.write(action.path, action.content))
        return fileResult(null, null)
      }
      const content = await before(signal, sandbox.read(action.path, MAX_FILE_BYTES))
      return fileResult(content, content === null ? `There is no file ${action.path}.` : null)
    } catch (error) {
      stop.throwIfAborted()
      if (!signal.aborted) return fileResult(null, (error as Error).message)
      const message = reasonOf(error, this.config.deadlines.stepSec)
      await this.lose(message) // the file may be half written
      return observed({ path: action.path, content: null, error: { error_type: 'timeout', message } }, { reward: null, done: true, metadata: { error: message } }) // prettier-ignore
    }
  }

  private async command(command: string, isBoth: boolean, signal: AbortSignal, stop: AbortSignal): Promise<Observation> {
    const { episode } = this
    const { form, maxTurns } = episode.request!
    const started = performance.now()
    let result: CommandOutput
    try {
      result = await episode.sandbox!.run(command, signal)
      if (result.exited && form === 'terminal') await episode.sandbox!.reopen()
    } catch (error) {
      stop.throwIfAborted()
      const message = reasonOf(error, this.config.deadlines.stepSec)
      episode.commands.push({
        command,
        output: '',
        error: message,
        success: false,
        exit_code: null,
        timed_out: signal.aborted,
        duration_ms: performance.now() - started,
      })
      await this.lose(message)
      const metadata = { error: message }
      return observed({ tool_name: TOOL, result: null, error: { error_type: signal.aborted ? 'timeout' : 'transport_error', message } }, { reward: null, done: true, metadata }) // prettier-ignore
    }
    const durationMs = performance.now() - started
    const failure = result.timedOut
      ? `timed out after ${this.config.deadlines.commandSec} s`
      : result.exitCode === 0
        ? null
        : `exit code ${result.exitCode}`
    episode.turns += 1
    if (result.exitCode !== 0 || result.timedOut) episode.nonzero += 1
    episode.commands.push({
      command,
      output: result.output,
      error: failure,
      success: failure === null,
      exit_code: result.exitCode,
      timed_out: result.timedOut,
      duration_ms: durationMs,
    })
    const note = result.exited && form === 'terminal' ? 'The shell ended; a new one is open.' : null
    const text = form === 'command' ? result.output || NOTHING : [result.output.trim(), failure === null ? '' : `ERROR:\n${failure}`, note ?? ''].filter(Boolean).join('\n') || NOTHING // prettier-ignore
    const facts =
      form === 'command'
        ? {
            exit_code: result.exitCode,
            timed_out: result.timedOut,
            truncated: result.truncated,
            exited: result.exited,
            duration_ms: durationMs,
          }
        : {}
    const metadata = { ...facts, ...(isBoth && { warnings: ['final_answer was ignored: command was given too'] }) }
    if (form === 'command' && result.exited) return this.verified('exited', text, signal, metadata)
    if (maxTurns !== null && episode.turns >= maxTurns) return this.verified('turns', text, signal, metadata)
    return observed({ tool_name: TOOL, result: textResult(text), error: null }, { reward: 0, done: false, metadata })
  }

  /** Ends an episode: runs the checks, computes the reward and removes the sandbox. */
  private async verified(how: Ending, text: string, signal: AbortSignal, more?: Record<string, unknown>): Promise<Observation> {
    const { episode } = this
    const { verify: commands, form } = episode.request!
    episode.status = 'over' // set before the checks, so that a second answer is never verified, even if they throw
    const verdict = await verify(episode.sandbox!, commands, { checkSec: this.config.deadlines.checkSec, signal })
    episode.verified = verdict.results
    const { reward, terms } = this.rewarded(verdict, episode)
    Object.assign(episode, { reward, error: verdict.error })
    const success = verdict.value === null ? null : verdict.value >= 1
    const checks = { passed: verdict.passed, total: commands.length }
    const metadata = {
      ...more,
      how,
      success,
      checks,
      turns: episode.turns,
      nonzero_exit_codes: episode.nonzero,
      ...(terms && { reward_terms: terms }),
      ...(verdict.error !== null && { error: verdict.error }),
    }
    const reply = form === 'command' && how !== 'answered' ? text : `${text}\n${summary(verdict, commands.length, reward)}`
    return observed({ tool_name: TOOL, result: textResult(reply), error: null }, { reward, done: true, metadata })
  }

  private rewarded({ value }: Verdict, { turns, nonzero }: Episode) {
    if (value === null) return { reward: null, terms: null }
    if (this.config.reward === 'fraction') return { reward: value, terms: null }
    return rewardOf({ success: value >= 1, turns, nonzeroExitCodes: nonzero }, POLICY)
  }

  private sandboxRequest({ backend, image, lifetimeSec, form }: ResetRequest, name: string) {
    const { deadlines, outputBytes } = this.config
    const workdir = form === 'terminal' ? HOME : null
    return {
      name: `environment ${name}`.slice(0, 100),
      backend,
      image,
      lifetimeSec,
      workdir,
      commandSec: deadlines.commandSec,
      outputBytes,
    }
  }

  private readiness(episode: Episode, { task, verify: commands, seed }: ResetRequest): Record<string, unknown> {
    return {
      status: 'ready',
      message: 'The sandbox is ready.',
      checks: commands.length,
      ...(this.config.showChecks && { verify_commands: commands }),
      ...episode.resolved,
      ...(seed !== null && { seed }),
      ...(task && { task_id: task.id, instruction: task.instruction }),
      episode_id: episode.id,
    }
  }

  /** Ends the episode without a reward: the state of its sandbox is unknown. */
  private async lose(reason: string): Promise<void> {
    const { episode } = this
    await this.end().catch(() => {}) // the caller reports the first error
    Object.assign(episode, { status: 'over', error: reason, reward: null })
  }

  /** Ends the episode because its set-up failed. */
  private async lost(error: string): Promise<Observation> {
    await this.end()
    return this.failed(error)
  }

  private failed(error: string): Observation {
    Object.assign(this.episode, { status: 'over', error, reward: null })
    return observed({}, { reward: null, done: true, metadata: { status: 'error', error, setup_results: this.episode.setUp } })
  }

  private textReply(text: string): Observation {
    return observed({ tool_name: TOOL, result: textResult(text), error: null }, { reward: 0, done: false })
  }

  private refused(name: string, type: ToolErrorType, message: string): Observation {
    const done = this.episode.status === 'over'
    return observed({ tool_name: name, result: null, error: { error_type: type, message } }, { reward: 0, done })
  }
}

const blank = (id: string): Episode => ({
  id,
  request: null,
  sandbox: null,
  status: 'none',
  steps: 0,
  turns: 0,
  nonzero: 0,
  setUp: [],
  commands: [],
  verified: [],
  answer: null,
  reward: null,
  error: null,
  resolved: null,
})

const withDeadline = (stop: AbortSignal, seconds: number) => AbortSignal.any([stop, AbortSignal.timeout(seconds * 1000)])

/** The result of `work`; rejects as soon as the signal aborts. */
function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
  return Promise.race([work, aborted])
}

/** Returns null for a value that is missing, blank or not a string. */
const nonBlank = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null)

function argumentProblem(args: Fields): string | null {
  for (const [key, value] of Object.entries(args)) {
    if (key !== 'command' && key !== 'final_answer') return `${TOOL} has no argument '${key}'; it takes command or final_answer.`
    if (value !== null && typeof value !== 'string') return `${key} must be a string.`
  }
  return null
}

function reasonOf(error: unknown, stepSec: number): string {
  if (error instanceof AppError) return [`${error.code}: ${error.message}`, error.hint ?? ''].filter(Boolean).join(' ')
  const { name, message } = error as Error
  return name === 'TimeoutError'
    ? `timeout: the step took longer than ${stepSec} s. Raise --step-timeout and --message-timeout.`
    : `${name}: ${message}`
}

const setUpError = ({ timedOut, exitCode }: SetUpResult) => (timedOut ? 'timed out' : `exit code ${exitCode}`)
const setUpResult = (result: SetUpResult): CommandResult => {
  const success = result.exitCode === 0 && !result.timedOut
  const { command, output, exitCode, timedOut, durationMs } = result
  return {
    command,
    output,
    error: success ? null : setUpError(result),
    success,
    exit_code: exitCode,
    timed_out: timedOut,
    duration_ms: durationMs,
  }
}

function summary({ passed, error }: Verdict, total: number, reward: number | null): string {
  if (error !== null) return `Verification failed: ${error}`
  if (reward === null) return 'This task has no checks, so the answer has no reward.'
  return `Verification: ${passed}/${total} passed; reward=${Number.isInteger(reward) ? reward.toFixed(1) : reward}`
}
