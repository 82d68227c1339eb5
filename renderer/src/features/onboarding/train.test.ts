import { expect, test } from 'vitest'
import { nextStop } from './train.tsx'

test('the way to a first model goes from Python to a base model to the sessions', () => {
  const stops = [nextStop({ state: 'missing' }, true), nextStop({ state: 'ready' }, false), nextStop({ state: 'ready' }, true)]
  expect(stops.map(({ href }) => href)).toEqual(['/settings/training', '/settings/models', '/factory/datasets/new?train=1'])
  expect(nextStop(undefined, undefined).sentence).toMatch(/^Checking/)
})
