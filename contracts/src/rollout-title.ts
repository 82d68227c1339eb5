import type { RolloutTask } from './entities/rollout.ts'

const LONGEST = 70

/** A task of the store by its id, one that was given with its set by the first line of its text. */
export const rolloutTitle = ({ id, split, task }: RolloutTask): string =>
  split === null ? task.trim().split('\n', 1)[0]!.slice(0, LONGEST) : id.slice(0, LONGEST)
