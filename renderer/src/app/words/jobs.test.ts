import { expect, test } from 'vitest'
import type { Job } from '#contracts/entities/job.ts'
import { progressSentence } from './jobs.ts'

const job = (progress: Partial<NonNullable<Job['progress']>>) =>
  ({
    state: 'running',
    queuePosition: null,
    progress: {
      phase: 'merging',
      done: 0,
      total: null,
      unit: 'steps',
      bytesDone: null,
      bytesTotal: null,
      ratePerSec: null,
      etaSec: null,
      message: null,
      ...progress,
    },
  }) as Job

test('a phase without counts is only its name', () => {
  expect(progressSentence(job({}))).toBe('merging')
  expect(progressSentence(job({ total: 3 }))).toBe('merging · 0 of 3 steps')
  expect(progressSentence(job({ done: 2 }))).toBe('merging · 2 steps')
})

test('a queued job has its position in the queue', () => {
  expect(progressSentence({ ...job({}), state: 'queued', queuePosition: 2 })).toBe('waiting, 2nd in line')
})

test('a phase that names what it counts has no unit, and a rate that rounds to 0 is left out', () => {
  const comparing = { phase: 'Comparing answers', unit: 'answers', done: 2, total: 20 }
  expect(progressSentence(job({ ...comparing, ratePerSec: 0.1 }))).toBe('Comparing answers, 2 of 20')
  expect(progressSentence(job({ ...comparing, ratePerSec: 3 }))).toBe('Comparing answers, 2 of 20 · 3 answers/s')
})
