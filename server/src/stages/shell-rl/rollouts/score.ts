import type { Episode, RewardPolicy } from '#contracts/entities/rollout.ts'
import { groupOf, rewardOf } from '../rewards/reward.ts'
import type { RolloutStore, SetRow } from './store.ts'

/** Compares the rewards of a group once all its episodes have ended. Call in a transaction. */
export function scoreGroup(store: RolloutStore, row: SetRow, group: number): void {
  const episodes = store.episodesOf(row, group)
  if (episodes.length < row.settings.rolloutsPerTask) return
  compare(store, row, group, episodes)
}

/** Computes all rewards of the set with another policy. Call in a transaction. */
export function rescore(store: RolloutStore, row: SetRow, policy: RewardPolicy): void {
  for (let group = 0; group < row.tasks; group += 1) {
    const episodes = store.episodesOf(row, group).map((episode) => withReward(store, row, episode, policy))
    if (episodes.length === row.settings.rolloutsPerTask) compare(store, row, group, episodes)
  }
}

function withReward(store: RolloutStore, row: SetRow, episode: Episode, policy: RewardPolicy): Episode {
  const { status, success, turns, nonzeroExitCodes } = episode
  if (status !== 'ok' || success === null) return episode
  const { reward, terms } = rewardOf({ success, turns, nonzeroExitCodes }, policy)
  store.reward(row, episode, reward, terms)
  return { ...episode, reward, terms }
}

/** Episodes without a reward are excluded from the comparison. */
function compare(store: RolloutStore, row: SetRow, group: number, episodes: readonly Episode[]): void {
  const scored = episodes.filter(({ reward }) => reward !== null)
  const comparison = groupOf(scored.map(({ reward }) => reward!))
  store.scoreGroup(row, group, scored.length, comparison)
  for (const [index, episode] of scored.entries()) store.advantage(row, episode, comparison!.advantages[index]!)
}
