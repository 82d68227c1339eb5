import type { ShellTaskItem } from '#contracts/entities/shell-task.ts'
import { AppError } from '#contracts/errors.ts'
import { systemOf } from '../rollouts/perform.ts'

/** Converts tasks to rows for a trainer: the same prompt as in rollouts, and the input of the environment. */
export function trainingRows(tasks: readonly ShellTaskItem[], use: 'train' | 'held out') {
  const heldOut = use === 'train' && tasks.find(({ isHeldOut }) => isHeldOut)
  if (heldOut)
    throw new AppError('invalid_request', {
      message: `The tasks of ${heldOut.split} are held out, so they cannot be used for training.`,
      hint: 'Choose another split.',
    })
  const system = systemOf('command')
  return tasks.map(({ id, task, setup, check }) => ({
    prompt: [
      { role: 'system', content: system },
      { role: 'user', content: task },
    ],
    environment: { episode_id: id, setup, verify: [check] },
  }))
}
