import { expect, test } from 'vitest'
import { cancelWords } from './cancel-words.ts'

test('ending a run promises what the trainer does: a model at work, a checkpoint where it rests, nothing before the first step', () => {
  const running = cancelWords({ state: 'running', step: 12 })
  expect(running.keep).toBe('End with what it learned')
  expect(running.says).toMatch(/as of step 12 and leaves a model; it does not go on/)
  expect(cancelWords({ state: 'paused', step: 12 })).toMatchObject({
    keep: 'Keep its checkpoint',
    says: expect.stringMatching(/go on later/) as string,
  })
  for (const state of ['queued', 'preparing', 'paused'] as const) expect(cancelWords({ state, step: 0 }).keep).toBeNull()
})
