import type { Episode, EpisodeTurn, RolloutTask } from '#contracts/entities/rollout.ts'

/** An episode with its conversation. */
export interface ExportedEpisode {
  episode: Episode
  task: RolloutTask
  system: string
  turns: EpisodeTurn[]
}

/** Facts about the set that the episodes belong to. */
export interface ExportedSet {
  id: string
  name: string
  model: string | null
  policy: string
  version: string
}

export interface Chat {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** The messages before the model's first message. */
export const promptOf = ({ system, task }: ExportedEpisode): Chat[] => [
  { role: 'system', content: system },
  { role: 'user', content: task.task },
]

/** The message to the model after a command without output. */
const NOTHING = '(no output)'

/** The model's messages and the outputs sent to it. The last output was not sent, because the episode had ended. */
export const conversationOf = (one: ExportedEpisode): Chat[] =>
  one.turns.flatMap((turn, index) => [messageOf(turn), ...(index === one.turns.length - 1 ? [] : [outputOf(turn)])])

export const messageOf = ({ text }: EpisodeTurn): Chat => ({ role: 'assistant', content: text === '' ? '#' : text })
export const outputOf = ({ output }: EpisodeTurn): Chat => ({ role: 'user', content: output || NOTHING })

/** Why an episode has no reward; null if it has one. */
export const exceptionOf = ({ episode: { status, error } }: ExportedEpisode): { type: string; message: string } | null =>
  status === 'ok'
    ? null
    : {
        type: error === null ? 'corrupted' : `${error.boundary}_error`,
        message: error?.message ?? 'A message of the model was cut off at its maximum length.',
      }

/** The figures that are exported with the reward. */
export const metricsOf = ({ episode }: ExportedEpisode): Record<string, number> => ({
  ...episode.terms,
  ...(episode.success !== null && { success: episode.success ? 1 : 0 }),
  turns: episode.turns,
  nonzero_exit_codes: episode.nonzeroExitCodes,
  help_calls: episode.helpCalls,
  timeouts: episode.timeouts,
  truncated_outputs: episode.truncatedOutputs,
})
