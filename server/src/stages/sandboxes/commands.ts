import type { GuardOverrides, GuardVerdict } from '#contracts/entities/guardrail.ts'
import type { SandboxEndReason, SandboxExec, SandboxResult } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import { EngineLost } from '#server/adapters/sandbox/index.ts'
import type { Core } from '#server/core.ts'
import { engineError, engineLost } from './engines.ts'
import type { Running } from './running.ts'
import { runStandalone } from './standalone.ts'
import type { SandboxStore } from './store.ts'

/** Checks a command against the guardrails before it runs. */
export type EvaluateCommand = (command: string, options: { sandboxId: string; overrides: GuardOverrides }) => Promise<GuardVerdict>

interface Deps extends Pick<Core, 'tx' | 'now'> {
  store: SandboxStore
  evaluateCommand: EvaluateCommand
  require: (id: string) => Running
  /** Called when a command has started or ended. */
  publishActivity: (id: string) => void
  end: (id: string, reason: SandboxEndReason, error: string) => Promise<void>
}

type Request = SandboxExec & { timeoutSec: number; maxOutputBytes: number }

/** Longer standard input is not checked by the guardrails. */
const LONGEST_CHECKED_INPUT = 100_000

/** Checks the commands of callers, runs them in a session or in their own process, and stores the results of sessions. */
export function createCommands({ tx, now, store, evaluateCommand, require, publishActivity, end }: Deps) {
  const runInSession = async (id: string, live: Running, request: Request, signal: AbortSignal): Promise<SandboxResult> => {
    const session = live.session(request.session)
    let position: number | null = null
    const { no } = store.require(id)
    try {
      const result = await session.run({ ...request, signal }, () => {
        const entry = { session: session.name, command: request.command, isTyped: false }
        position = tx(() => store.addCommand(store.require(id), entry, now()))
        publishActivity(id)
      })
      if (live.stopping !== null) throw stoppedError(live)
      tx(() => store.endCommand(no, position!, result))
      return result
    } catch (error) {
      if (error instanceof AppError && error.code === 'session_lost') await end(id, 'session_lost', error.message)
      throw error
    }
  }
  /** Stopped when its caller disconnects: nothing else could stop it. */
  const runAlone = async (id: string, live: Running, request: Request, signal: AbortSignal): Promise<SandboxResult> => {
    const result = await runStandalone(live.machine, request, signal).catch((error: unknown) => {
      throw error instanceof EngineLost ? error : engineError(error, request.cwd === undefined ? undefined : 'path_refused')
    })
    if (live.stopping !== null) throw stoppedError(live)
    if (store.get(id)) tx(() => store.change(id, { lastStandaloneExitCode: result.exitCode, lastUsedAt: now() }))
    return result
  }

  const addBlocked = (id: string, { command, session }: SandboxExec, { rule, reason }: GuardVerdict) => {
    const blocked = { rule, reason: reason ?? ANY_REASON }
    tx(() => {
      const row = store.require(id)
      store.endCommand(row.no, store.addCommand(row, { session, command, isTyped: false }, now()), { blocked })
    })
    publishActivity(id)
  }

  return async (id: string, request: SandboxExec, signal: AbortSignal): Promise<SandboxResult> => {
    const live = require(id)
    if (!request.standalone) live.session(request.session) // an unknown session is refused before the command is checked
    if (request.command.includes('\0')) throw new AppError('invalid_request', { message: 'A command must not contain a NUL byte.' })
    const { spec } = store.require(id)
    const policy = { sandboxId: id, overrides: spec.guard }
    const texts = [request.command]
    if (request.stdin !== undefined && request.stdin.length <= LONGEST_CHECKED_INPUT) texts.push(withInput(request.command, request.stdin))
    for (const text of texts) {
      const verdict = await evaluateCommand(text, policy)
      if (verdict.verdict === 'block' && !request.standalone) addBlocked(id, request, verdict)
      refuseBlocked(null, verdict)
    }
    const bounded = {
      ...request,
      timeoutSec: request.timeoutSec ?? spec.commandTimeoutSec,
      maxOutputBytes: request.maxOutputBytes ?? spec.limits.outputBytes,
    }
    const run = request.standalone ? runAlone : runInSession
    try {
      return await live.work(() => run(id, live, bounded, signal))
    } catch (error) {
      if (!(error instanceof EngineLost)) throw error
      const lost = engineLost(store.require(id).backend, error)
      await end(id, 'session_lost', lost.message)
      throw lost
    } finally {
      publishActivity(id)
    }
  }
}

const stoppedError = ({ lossReason }: Running) =>
  lossReason === null
    ? new AppError('sandbox_not_started', { message: 'The sandbox was stopped while the command ran.' })
    : new AppError('session_lost', { message: lossReason })

const ANY_REASON = 'This matches a guardrail.'

/** As a here-document: a shell would run what it reads. */
const withInput = (command: string, input: string) => `{ ${command}\n} <<'END-OF-INPUT'\n${input}\nEND-OF-INPUT\n`

/** Throws `command_blocked`. `what`: the command, if it is not the only one. */
export function refuseBlocked(what: string | null, { verdict, reason, rule, alternatives, span }: GuardVerdict): void {
  if (verdict !== 'block') return
  throw new AppError('command_blocked', {
    message: `${what === null ? 'Blocked' : `${what} blocked`}: ${(reason ?? ANY_REASON).replace(/^T/, 't')}`,
    ...(alternatives.length > 0 && { hint: `Instead: ${alternatives.join('; ')}` }),
    details: { rule, span },
  })
}
