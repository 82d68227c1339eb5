import type { GivenStep } from '#contracts/entities/answer.ts'
import type { Step } from '#contracts/entities/step.ts'
import { AppError } from '#contracts/errors.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import { evaluateCommand } from '../../guardrails/index.ts'
import { parseSteps, scoreSource } from '../../scoring/index.ts'
import { readWhole } from '../../traces/index.ts'

export type StepsInput = { database: string; archive: string; traceId: string } | { steps: readonly GivenStep[]; isInSandbox: boolean }

export interface StepsFacts {
  steps: number
  succeeded: number
  failed: number
  blocked: { command: string; why: string }[]
  /** Commands that are too long to be read. */
  unread: number
  /** Of given steps; a session has its own score. */
  efficiency: number | null
  /** What the commands themselves show; null if they show nothing. */
  verification: 'passed' | 'failed' | null
  /** The steps as text, for a model that grades them. */
  text: string
}

type Known = Pick<Step, 'tool' | 'command' | 'success' | 'rejectedBy' | 'cwd'> & { blocked?: boolean; output?: string | null }

const SHELLS = /^(bash|shell|sh|terminal|command|run_shell_command|execute_bash)$/i
const MAX_BLOCKED = 100
const MAX_TEXT = 20_000

/** Counts what the formulas of a trace need. Null if there is no such session. */
export default function factsOfSteps(input: StepsInput): StepsFacts | null {
  if ('traceId' in input) {
    const whole = readWhole(readOnlyOfThread(input.database), input.archive, input.traceId)
    if (!whole) return null
    const steps: Known[] = []
    for (const items of whole.items) for (const item of items) if (item.kind === 'step' && !item.step.abandoned) steps.push(item.step)
    return { ...countOf(steps, false), efficiency: null, verification: null, text: '' }
  }
  const steps = input.steps.map(toStep)
  const parsed = parseSteps(
    steps.map(({ tool, command, input, output, success, exitCode, isError, cwd }) => ({
      tool,
      command,
      input,
      output,
      success,
      exitCode,
      isError,
      cwd,
    })),
    'steps',
  )
  const { metrics } = scoreSource(parsed, { policy: 'thresholds' })
  const known = steps.map((step, at): Known => ({
    ...step,
    command: parsed[at]!.command,
    success: step.rejectedBy === null && !step.blocked ? parsed[at]!.success : null,
  }))
  return {
    ...countOf(known, input.isInSandbox),
    efficiency: metrics.efficiency,
    verification: metrics.verification === 1 ? 'passed' : metrics.verification === 0 ? 'failed' : null,
    text: known
      .map(
        ({ tool, command, success, output }) =>
          `[${tool}] ${command ?? ''}\n[${success === null ? 'unknown result' : success ? 'succeeded' : 'failed'}]${output ? `\n${output.slice(-400)}` : ''}`,
      )
      .join('\n\n')
      .slice(0, MAX_TEXT),
  }
}

function toStep(given: GivenStep) {
  if ('action' in given) {
    const { action, observation } = given
    const isShell = SHELLS.test(action.type)
    const text = typeof action.content === 'string' ? action.content : JSON.stringify(action.content ?? null)
    return {
      tool: isShell ? 'Bash' : action.type,
      command: isShell ? text : null,
      input: isShell ? { command: text } : { content: action.content },
      output: observation?.output ?? null,
      success: observation?.success ?? null,
      exitCode: null,
      isError: null,
      cwd: null,
      rejectedBy: null,
      blocked: observation?.blocked === true,
    }
  }
  const {
    tool,
    command = null,
    input,
    output = null,
    success = null,
    exitCode = null,
    isError = null,
    rejected,
    rejectedBy = null,
    cwd = null,
  } = given
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return {
    tool,
    command,
    input: isObject ? (input as Record<string, unknown>) : {},
    output,
    success,
    exitCode,
    isError,
    cwd,
    rejectedBy: rejectedBy ?? (rejected === true ? ('user' as const) : null),
    blocked: false,
  }
}

function countOf(steps: readonly Known[], isInSandbox: boolean): Pick<StepsFacts, 'steps' | 'succeeded' | 'failed' | 'blocked' | 'unread'> {
  let unread = 0
  const blocked = steps.flatMap((step) => {
    const why = whyBlocked(step, isInSandbox)
    if (why === UNREAD) unread += 1
    return why === null || why === UNREAD ? [] : [{ command: (step.command ?? step.tool).slice(0, 500), why }]
  })
  return {
    steps: steps.length,
    succeeded: steps.filter(({ success }) => success === true).length,
    failed: steps.filter(({ success }) => success === false).length,
    blocked: blocked.slice(0, MAX_BLOCKED),
    unread,
  }
}

const UNREAD = Symbol('unread')

/** A command that a rule stopped when it ran, or that the guardrails stop now. */
function whyBlocked({ command, rejectedBy, blocked, cwd }: Known, isInSandbox: boolean): string | typeof UNREAD | null {
  if (rejectedBy === 'rule') return 'A rule of the client rejected it.'
  if (blocked) return 'It was blocked.'
  if (command === null) return null
  try {
    const { verdict, reason } = evaluateCommand(command, isInSandbox ? 'sandbox' : 'native', cwd ?? '/')
    return verdict === 'block' ? (reason ?? 'The guardrails block it.') : null
  } catch (error) {
    if (error instanceof AppError && error.code === 'payload_too_large') return UNREAD
    throw error
  }
}
