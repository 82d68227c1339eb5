/** Files that the tests of a task write, as they were read; null: there is none. */
export interface RewardFiles {
  /** `/logs/verifier/reward.txt` */
  text: string | null
  /** `/logs/verifier/reward.json` */
  json: string | null
}

/** The reward, or why there is none. Two files that disagree are no reward: readers differ in which one wins. */
export function rewardOf({ text, json }: RewardFiles): { reward: number } | { reason: string } {
  const found: number[] = []
  if (text !== null) {
    const value = numberIn(text)
    if (value === null) return { reason: 'reward.txt holds no number.' }
    found.push(value)
  }
  if (json !== null) {
    const value = fromJson(json)
    if (value === null) return { reason: 'reward.json holds no number under "reward".' }
    found.push(value)
  }
  const [first, second] = found
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
    return null // no object, or no JSON
  }
}
