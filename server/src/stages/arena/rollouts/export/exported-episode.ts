import type { Episode, EpisodeTurn, RolloutTask } from '#contracts/entities/rollout.ts'

/** An episode with all that was said in it. */
export interface ExportedEpisode {
  episode: Episode
  task: RolloutTask
  system: string
  turns: EpisodeTurn[]
}

/** Of the set that episodes are of. */
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

/** What the model was told before its first message. */
export const promptOf = ({ system, task }: ExportedEpisode): Chat[] => [
  { role: 'system', content: system },
  { role: 'user', content: task.task },
]

/** What the loop shows where a command says nothing. */
const NOTHING = '(no output)'

/** Messages of the model and what it was shown, as it was asked; nothing is shown after the last one. */
export const conversationOf = ({ turns }: ExportedEpisode): Chat[] =>
  turns.flatMap(({ text, output }, index): Chat[] => [
    { role: 'assistant', content: text === '' ? '#' : text },
    ...(index === turns.length - 1 ? [] : [{ role: 'user' as const, content: output || NOTHING }]),
  ])

/** What goes beside a reward as figures. */
export const metricsOf = ({ episode }: ExportedEpisode): Record<string, number> => ({
  ...episode.terms,
  ...(episode.success !== null && { success: episode.success ? 1 : 0 }),
  turns: episode.turns,
  nonzero_exit_codes: episode.nonzeroExitCodes,
  help_calls: episode.helpCalls,
  timeouts: episode.timeouts,
  truncated_outputs: episode.truncatedOutputs,
})
