import { expect, test } from 'vitest'
import { headlineOf } from './plan-rail.tsx'

const plan = { rows: 2233, seenRows: 2233, leftOut: 0, tokensExact: true, steps: 140 }

test('the headline of a plan tells what this run sees, and what is too long', () => {
  expect(headlineOf(plan, 'sft')).toBe('Trains on 2,233 rows; none is too long')
  expect(headlineOf({ ...plan, seenRows: 240, steps: 60 }, 'sft')).toBe('Trains on 240 of 2,233 rows in 60 steps; none is too long')
  expect(headlineOf({ ...plan, rows: 28, seenRows: 28, leftOut: 5686, tokensExact: false }, 'kto')).toBe('Trains on about 28 rows; 5,686 answers are too long') // prettier-ignore
  expect(headlineOf({ ...plan, rows: 1, seenRows: 1, leftOut: 1 }, 'grpo')).toBe('Trains on 1 row; 1 row is too long')
  expect(headlineOf({ ...plan, rows: 0, seenRows: 0, leftOut: 3 }, 'dpo')).toBe('Nothing would be trained')
})
