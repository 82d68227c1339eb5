import type { EpisodeForm } from '#contracts/entities/rollout.ts'
import type { ChatRequest, Completion } from '#server/adapters/llm/index.ts'
import type { Ran } from '../episode/episode.ts'

/** How a message of the model becomes a command. */
export interface Action {
  /** What a request has beside its messages. */
  request: Partial<ChatRequest>
  /** The message as text, where it came as something else. */
  answer(completion: Completion): Completion
  commandOf(text: string): string
  /** Runs the command of the last message, or says why it is none. */
  run(command: string, run: () => Promise<Ran>): Promise<Ran>
}

const AS_IT_IS: Action = { request: {}, answer: (completion) => completion, commandOf: (text) => text, run: (_, run) => run() }

export function actionOf(form: EpisodeForm): Action {
  if (form === 'command') return AS_IT_IS
  throw new Error('Calls of the tool terminal are not read yet.')
}
