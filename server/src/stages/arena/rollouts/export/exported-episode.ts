import type { Episode, EpisodeTurn, RolloutTask } from '#contracts/entities/rollout.ts'

/** An episode with its conversation. */
export interface ExportedEpisode {
  episode: Episode
  task: RolloutTask
  system: string
  turns: EpisodeTurn[]
}

/** Facts about the set of the episodes. */
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

/** The messages before the model's first one. */
export const promptOf = ({ system, task }: ExportedEpisode): Chat[] => [
  { role: 'system', content: system },
  { role: 'user', content: task.task },
]

/** What the model reads for a command without output. */
const NOTHING = '(no output)'

/** Messages of the model and what it was shown, as it was asked; nothing is shown after the last one. */
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
        message: error?.message ?? 'A message of the model was cut off at its length.',
      }

/** Figures that are exported with a reward. */
export const metricsOf = ({ episode }: ExportedEpisode): Record<string, number> => ({
  ...episode.terms,
  ...(episode.success !== null && { success: episode.success ? 1 : 0 }),
  turns: episode.turns,
  nonzero_exit_codes: episode.nonzeroExitCodes,
  help_calls: episode.helpCalls,
  timeouts: episode.timeouts,
  truncated_outputs: episode.truncatedOutputs,
})
