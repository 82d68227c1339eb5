import { CapReached, type ChatRequest, type Completion } from '#server/adapters/llm/index.ts'
import { type EpisodeTurn, runEpisode } from '#server/stages/agents/index.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { openAttempt } from '../attempt.ts'
import { commandsOf } from './diversity.ts'
import type { TaskDraft } from './parse.ts'

/** The result of a model's try at a task. */
export interface SolveResult {
  solved: boolean
  /** The commands in order, with their exit codes. */
  history: { command: string; exitCode: number }[]
}

export interface SolveDeps {
  sandboxes: Sandboxes
  model: string | null
  turns: number
  /** Calls the model. Throws if there is no answer. */
  ask: (request: ChatRequest, signal: AbortSignal) => Promise<Completion>
}

const TEMPERATURE = 0.7
const TOKENS_A_TURN = 512
const CONTEXT_TOKENS = 32_000
const COMMAND_SEC = 30
const CHECK_SEC = 30
const OUTPUT_BYTES = 8192

const SYSTEM =
  'You work at a Linux shell (bash) as root, which stays open from one command to the next; its output is what you read next. ' +
  'Everything that you write is run as it is, as one command: no prose and no Markdown. ' +
  'First think in lines that begin with #, then write the command. When the task is done, run `exit`.'

/** Lets a model try a task in its own sandbox. Null if there is no result (cut off, or the check had no result). Throws if endpoint or engine failed, or `CapReached`. */
export async function solve(
  { sandboxes, model, turns, ask }: SolveDeps,
  task: TaskDraft,
  signal: AbortSignal,
): Promise<SolveResult | null> {
  const attempt = await openAttempt(
    sandboxes,
    {
      setup: task.setup,
      name: 'Try at a new shell task',
      commandSec: COMMAND_SEC,
      outputBytes: OUTPUT_BYTES,
      labels: { purpose: 'generation' },
    },
    signal,
  )
  try {
    const episodeTurns: EpisodeTurn[] = []
    const end = await runEpisode({
      system: SYSTEM,
      messages: [{ role: 'user', content: task.task }],
      model,
      limits: { turns, tokensATurn: TOKENS_A_TURN, contextTokens: CONTEXT_TOKENS, tokens: null, costUsd: null, temperature: TEMPERATURE },
      ask,
      run: (command, stop) => attempt.run(command, stop),
      onTurn: (turn) => void episodeTurns.push(turn),
      signal,
    })
    if (end.how === 'error') throw end.error
    if (end.how === 'tokens' || end.how === 'cost') throw new CapReached(end.how, 'The budget does not cover the next turn.')
    if (end.how === 'corrupted') return null
    const { passed } = await attempt.check(task.check, { timeoutSec: CHECK_SEC, signal })
    return passed === null ? null : { solved: passed, history: episodeTurns.map(({ command, exitCode }) => ({ command, exitCode })) }
  } finally {
    await attempt.end()
  }
}

/** Facts about the measured difficulty of a task. */
export function evidenceOf(tries: readonly SolveResult[]): { tries: number; solved: number; medianTurns: number | null; tools: string[] } {
  const solved = tries.filter((one) => one.solved)
  const turns = solved.map(({ history }) => history.length).toSorted((a, b) => a - b)
  const tools = new Set(solved.flatMap(({ history }) => history.flatMap(({ command }) => commandsOf(command))))
  return {
    tries: tries.length,
    solved: solved.length,
    medianTurns: turns[Math.floor(turns.length / 2)] ?? null,
    tools: [...tools].toSorted(),
  }
}
