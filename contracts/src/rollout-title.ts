import type { RolloutTask } from './entities/rollout.ts'

const MAX_LENGTH = 70

/** The id of a stored task, or the first line of a task that was given with its set. */
export const rolloutTitle = ({ id, split, task }: RolloutTask): string =>
  split === null ? task.trim().split('\n', 1)[0]!.slice(0, MAX_LENGTH) : id.slice(0, MAX_LENGTH)
