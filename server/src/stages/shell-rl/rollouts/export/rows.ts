import type { EpisodeTurn } from '#contracts/entities/rollout.ts'
import {
  conversationOf,
  exceptionOf,
  messageOf,
  metricsOf,
  outputOf,
  promptOf,
  type ExportedEpisode,
  type ExportedSet,
} from './exported-episode.ts'

/** A group in the format of ART. The model's messages are choices, because ART trains only on choices; failed episodes are exceptions. */
export function artGroup(set: ExportedSet, episodes: readonly ExportedEpisode[]): unknown {
  const [first] = episodes
  return {
    trajectories: episodes
      .filter(({ episode }) => episode.reward !== null)
      .map((one) => ({
        messages_and_choices: [...promptOf(one), ...choicesOf(one.turns)],
        reward: one.episode.reward,
        metrics: metricsOf(one),
        metadata: { episode_id: one.episode.id, task_id: one.task.id, attempt: one.episode.attempt },
        logs: [],
      })),
    metadata: { set_id: set.id, task_id: first?.task.id ?? null, model: set.model, policy: set.policy },
    exceptions: episodes.flatMap((one) => exceptionOf(one) ?? []).map((exception) => ({ ...exception, traceback: '' })),
  }
}

const choicesOf = (turns: readonly EpisodeTurn[]): unknown[] =>
  turns.flatMap((turn, index) => [choiceOf(turn), ...(index === turns.length - 1 ? [] : [outputOf(turn)])])

const choiceOf = (turn: EpisodeTurn) => ({
  finish_reason: 'stop',
  index: 0,
  logprobs: turn.logprobs ? { content: turn.logprobs.map((one) => ({ ...one, bytes: null, top_logprobs: [] })) } : null,
  message: messageOf(turn),
})

/** A row for TRL; null if the episode has no reward. `logprobs`: those of each message of the model, null if any is unknown. */
export function trlRow(one: ExportedEpisode): unknown {
  const { episode, task } = one
  if (episode.reward === null) return null
  return {
    prompt: promptOf(one),
    completion: conversationOf(one),
    logprobs: one.turns.every((turn) => turn.logprobs) ? one.turns.map((turn) => turn.logprobs!.map(({ logprob }) => logprob)) : null,
    reward: episode.reward,
    advantage: episode.advantage,
    task_id: task.id,
    group: episode.group,
    attempt: episode.attempt,
  }
}

/** A row in the result format of verifiers; null if the episode has no reward. */
export function verifiersRow(set: ExportedSet, one: ExportedEpisode): unknown {
  const { episode, task } = one
  if (episode.reward === null) return null
  const { setup, check, difficulty, id } = task
  return {
    example_id: episode.group,
    prompt: promptOf(one),
    completion: conversationOf(one),
    answer: '',
    task: 'shell',
    info: { task_id: id, setup, check, difficulty, episode_id: episode.id, set_id: set.id },
    reward: episode.reward,
    metrics: metricsOf(one),
  }
}
