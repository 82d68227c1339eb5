import { expect, test } from 'vitest'
import { cancelWords } from './cancel-words.ts'

test('cancelling offers to save a model while running, a checkpoint while paused, and nothing before the first step', () => {
  const running = cancelWords({ state: 'running', step: 12 })
  expect(running.keep).toBe('End and save model')
  expect(running.description).toMatch(/Saving a model keeps the weights as of step 12; the run cannot be resumed/)
  expect(cancelWords({ state: 'paused', step: 12 })).toMatchObject({
    keep: 'Cancel and keep checkpoint',
    description: expect.stringMatching(/resumed later/) as string,
  })
  for (const state of ['queued', 'preparing', 'paused'] as const) expect(cancelWords({ state, step: 0 }).keep).toBeNull()
})
