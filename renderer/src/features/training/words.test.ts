import { expect, test } from 'vitest'
import { elapsedOf } from './words.ts'

const startedAt = '2026-11-20T10:00:00Z'

test('what has stopped says how long it has trained, pauses left out; what is at work since when', () => {
  const now = Date.parse('2026-11-20T10:05:00Z')
  expect(elapsedOf({ state: 'paused', trainSec: 90, startedAt, endedAt: null }, now)).toBe('1 m 30 s')
  expect(elapsedOf({ state: 'failed', trainSec: 90, startedAt, endedAt: '2026-11-22T10:00:00Z' }, now)).toBe('1 m 30 s')
  expect(elapsedOf({ state: 'running', trainSec: null, startedAt, endedAt: null }, now)).toBe('5 m 00 s')
})
