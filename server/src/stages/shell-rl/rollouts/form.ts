import type { EpisodeForm } from '#contracts/entities/rollout.ts'
import type { ChatRequest, Completion } from '#server/adapters/llm/index.ts'
import type { CommandOutput } from '#server/stages/agents/index.ts'
import { buildTerminalToolCall } from '../openenv/tool-call.ts'

/** Turns the model's messages into commands. */
export interface Action {
  /** Fields of a request in addition to its messages. */
  request: Partial<ChatRequest>
  /** Writes the tool calls of a completion as its text, because episodes store messages as text. */
  answer(completion: Completion): Completion
  commandOf(text: string): string
  /** Runs the command of the last message. If the message has no command, its output is the reason. */
  run(command: string, run: () => Promise<CommandOutput>): Promise<CommandOutput>
}

const UNCHANGED: Action = { request: {}, answer: (completion) => completion, commandOf: (text) => text, run: (_, run) => run() }

/** The action for one episode. It remembers why the last message was refused, so it must not be shared. */
export const actionOf = (form: EpisodeForm): Action => (form === 'command' ? UNCHANGED : terminalAction())

const TERMINAL = {
  name: 'terminal',
  description: 'Run one command in the shell, or give the final answer, which ends the task.',
  inputSchema: { type: 'object', properties: { command: { type: 'string' }, final_answer: { type: 'string' } } },
}
/** A final answer ends the episode. */
const EXIT_COMMAND = 'exit 0'

function terminalAction(): Action {
  let refused: string | null = null
  return {
    request: { tools: [TERMINAL] },
    answer(completion) {
      if (completion.toolCalls.length === 0) return completion
      const { logprobs: _, ...answer } = completion // they are of other tokens than this text
      return { ...answer, text: textOf(completion) }
    },
    commandOf(text) {
      const { arguments: call, error } = buildTerminalToolCall(text)
      refused = call === null ? (error ?? 'The message holds no call of the tool terminal.') : null
      if (call === null) return text
      return 'command' in call ? call.command : EXIT_COMMAND
    },
    run: (_, run) =>
      refused === null ? run() : Promise.resolve({ output: refused, exitCode: 1, exited: false, timedOut: false, truncated: false }),
  }
}

function textOf({ toolCalls }: Completion): string {
  const calls = toolCalls.map(({ name, arguments: json }) => ({ name, arguments: json }))
  return JSON.stringify(calls.length === 1 ? calls[0] : calls)
}
