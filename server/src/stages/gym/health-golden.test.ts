import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { TrainerEvent, type TrainStrategy } from '#contracts/trainer.ts'
import { assess, type Point } from './health.ts'
import { type Live, NOTHING_YET, pointOf, reduce } from './live.ts'

// Events of real runs of a tiny model, reduced to the figures that `assess` reads.
const read = (name: string): TrainerEvent[] =>
  fs
    .readFileSync(path.join(import.meta.dirname, 'fixtures', 'health', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => TrainerEvent.parse(JSON.parse(line)))

/** Health of a run after these events. */
function healthAfter(events: readonly TrainerEvent[], strategy: TrainStrategy = 'sft') {
  const curves: Record<string, Point[]> = {}
  let live: Live = NOTHING_YET
  for (const event of events) {
    live = reduce(live, event)
    const point = event.type === 'progress' ? pointOf(live, event) : null
    for (const [name, value] of Object.entries(point?.values ?? {})) (curves[name] ??= []).push({ step: point!.position.step, value })
  }
  const { trainedTokens, memory, step } = live
  return assess({ strategy, curves, trainedTokens, memory, silence: null, step })
}

it('reports nothing for a healthy run', () => {
  expect(healthAfter(read('well'))).toEqual([])
})

it('reports a diverging run with the first step', () => {
  expect(healthAfter(read('diverged'))).toMatchObject([{ code: 'diverged', step: 2, message: expect.stringContaining('Lower the learning rate') as string }]) // prettier-ignore
})

it('reports a plateau', () => {
  expect(healthAfter(read('plateau'))).toMatchObject([{ code: 'plateau' }])
})

it('reports overfitting with the best step', () => {
  const events = read('overfitting')
  const losses = events.flatMap((event) =>
    event.type === 'progress' && typeof event.metrics['eval_loss'] === 'number'
      ? [{ step: event.step, loss: event.metrics['eval_loss'] }]
      : [],
  )
  const best = losses.reduce((least, one) => (one.loss < least.loss ? one : least))
  expect(healthAfter(events)).toMatchObject([{ code: 'overfitting', step: best.step, message: expect.stringContaining(`best step was ${best.step}.`) as string }]) // prettier-ignore
})

it('reports rewards that do not differ', () => {
  expect(healthAfter(read('no_reward_spread'), 'grpo')).toMatchObject([{ code: 'no_reward_spread', step: expect.any(Number) as number }])
})

it.each([
  ['zero_tokens', (event: TrainerEvent) => (event.type === 'plan' ? { ...event, trainedTokens: 0 } : event)],
  [
    'memory_near_limit',
    (event: TrainerEvent) =>
      event.type === 'system' && event.ramTotalMb !== null ? { ...event, ramUsedMb: 0.96 * event.ramTotalMb } : event,
  ],
  [
    'not_finite',
    (event: TrainerEvent) =>
      event.type === 'progress' && event.step === 30 ? { ...event, metrics: { ...event.metrics, loss: null }, notFinite: ['loss'] } : event,
  ],
] as const)('reports %s in an otherwise healthy run', (code, change) => {
  expect(healthAfter(read('well').map(change)).map((found) => found.code)).toEqual([code])
})
