import { expect, test } from 'vitest'
import { elapsedOf, rowsWord, shareOf } from './words.ts'

const workingSince = '2026-11-20T10:00:00Z'

test('training time excludes pauses, during the pause and after it', () => {
  const now = Date.parse('2026-11-20T10:05:00Z')
  expect(elapsedOf({ trainSec: 90, workingSince: null }, now)).toBe('1 m 30 s')
  expect(elapsedOf({ trainSec: 0, workingSince }, now)).toBe('5 m 00 s')
  expect(elapsedOf({ trainSec: 90, workingSince }, now)).toBe('6 m 30 s')
  expect(elapsedOf({ trainSec: null, workingSince: null }, now)).toBe('–')
})

test('a clock that is behind that of the trainer does not reduce the training time', () => {
  expect(elapsedOf({ trainSec: 90, workingSince }, Date.parse(workingSince) - 5000)).toBe('1 m 30 s')
})

test('the share is unknown only for a run on the device; a waiting run keeps its share, and one that never started has 0', () => {
  const nothing = { step: 0, totalSteps: null }
  expect(shareOf({ ...nothing, state: 'preparing' })).toBeNull()
  for (const state of ['queued', 'failed', 'cancelled'] as const) expect(shareOf({ ...nothing, state })).toBe(0)
  expect(shareOf({ step: 15, totalSteps: 20, state: 'queued' })).toBe(0.75)
})

test('a run says which rows it used and which its steps did not reach', () => {
  const whole = { fileRows: 261, unusedRows: 0, rows: 261, seenRows: 261, state: 'completed' } as const
  expect(rowsWord(whole)).toBeNull()
  expect(rowsWord({ ...whole, unusedRows: 259, rows: 2, seenRows: 2 })).toBe('2 of 261 rows used')
  expect(rowsWord({ ...whole, rows: 2233, seenRows: 240 })).toBe('240 of 2,233 rows seen')
  expect(rowsWord({ ...whole, rows: 2233, seenRows: 240, state: 'running' })).toBeNull() // it goes on
  expect(rowsWord({ ...whole, fileRows: null, unusedRows: null, rows: null, seenRows: null })).toBeNull()
})
