import { expect, it } from 'vitest'
import type { TrainerEvent } from '#contracts/trainer.ts'
import { addToPace, NO_PACE, silenceOf } from './pace.ts'

const event = (type: string, fields: object = {}) => ({ type, ...fields }) as TrainerEvent
const step = event('progress', { metrics: { loss: 1 } })
const after = (...events: [TrainerEvent, number][]) => events.reduce((pace, [one, at]) => addToPace(pace, one, at, false), NO_PACE)

it('takes the median of the newest gaps between steps as typical, and ignores other events', () => {
  const pace = after(
    [step, 1000],
    [step, 3000],
    [step, 5000],
    [event('phase', { phase: 'evaluating' }), 5100],
    [event('progress', { metrics: { eval_loss: 1 } }), 65_000],
    [event('phase', { phase: 'training' }), 65_100],
    [step, 67_100],
    [step, 69_100],
    [event('system'), 80_000],
  )
  expect(pace.gaps).toEqual([2000, 2000, 2000])
  expect(silenceOf(pace, 99_100)).toEqual({ ms: 30_000, typicalMs: 2000 })
})

it('has no typical time before three gaps, and forgets the gaps of an earlier process', () => {
  expect(silenceOf(after([step, 1], [step, 2], [step, 3]), 100)).toBeNull()
  const pace = after([step, 1], [step, 2], [step, 3], [step, 4])
  expect(silenceOf(pace, 10)).toEqual({ ms: 6, typicalMs: 1 })
  expect(silenceOf(addToPace(pace, event('phase', { phase: 'loading' }), 20, true), 90)).toBeNull()
})
