import { expect, test } from 'vitest'
import { markersOf } from './markers.ts'

const at = (step: number, exists: boolean, best = false) => ({ step, exists, best, path: `checkpoint-${step}`, bytes: exists ? 1 : null })

test('kept checkpoints are marked, and the best one even after it is removed', () => {
  expect(markersOf([at(5, false, true), at(10, false, true), at(15, false), at(20, true), at(25, true)])).toEqual([
    { step: 10, best: true, label: 'checkpoint 10, removed' },
    { step: 20, best: false, label: 'checkpoint 20' },
    { step: 25, best: false, label: 'checkpoint 25' },
  ])
})
