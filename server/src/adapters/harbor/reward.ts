/** Contents of the files that the tests of a task write; null if a file is missing. */
export interface RewardFiles {
  /** `/logs/verifier/reward.txt` */
  text: string | null
  /** `/logs/verifier/reward.json` */
  json: string | null
}

/** The reward, or why there is none. If the two files disagree there is none, because it is unclear which file counts. */
export function rewardOf({ text, json }: RewardFiles): { reward: number } | { reason: string } {
  const rewards: number[] = []
  if (text !== null) {
    const value = numberIn(text)
    if (value === null) return { reason: 'reward.txt does not contain a number.' }
    rewards.push(value)
  }
  if (json !== null) {
    const value = fromJson(json)
    if (value === null) return { reason: 'reward.json does not contain a number under "reward".' }
    rewards.push(value)
  }
  const [first, second] = rewards
  if (first === undefined) return { reason: 'The tests wrote no reward (/logs/verifier/reward.txt or reward.json).' }
  if (second !== undefined && second !== first) return { reason: `reward.txt says ${first} and reward.json says ${second}.` }
  return { reward: first }
}

function numberIn(text: string): number | null {
  const value = Number(text.trim())
  return text.trim() === '' || !Number.isFinite(value) ? null : value
}

function fromJson(text: string): number | null {
  try {
    const { reward } = JSON.parse(text) as { reward?: unknown }
    return typeof reward === 'number' && Number.isFinite(reward) ? reward : null
  } catch {
    return null // not JSON, or null
  }
}
