import { expect } from 'vitest'
import { RESTING_STATES, type Task } from '#contracts/entities/task.ts'
import type { TestServer } from '#server/testing/server.ts'

/** For tests: a run once it has ended. */
export async function endOf({ getTask }: TestServer['client'], { id }: Pick<Task, 'id'>): Promise<Task> {
  let task = await getTask({ params: { id } })
  const hasEnded = async () => (RESTING_STATES as readonly string[]).includes((task = await getTask({ params: { id } })).state)
  await expect.poll(hasEnded, { timeout: 120_000 }).toBe(true)
  return task
}
