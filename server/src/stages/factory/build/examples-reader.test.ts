import { expect, test } from 'vitest'
import type { BuiltExample, ExamplesOutput } from '../examples/types.ts'
import { leftOut } from './examples-reader.ts'

test('what gave no example is counted once, at the stage of what it is: a session, a segment, a part of one', () => {
  const made = [{ segmentId: 'split' }] as BuiltExample[] // of all its fields only this one is read
  const excluded: ExamplesOutput['excluded'] = [
    { segmentId: 'split', reason: 'no_own_prompt', detail: 'part 2 of 2' },
    { segmentId: 'gone', reason: 'empty', detail: 'part 1 of 3' },
    { segmentId: 'gone', reason: 'no_own_prompt', detail: 'part 2 of 3' },
    { segmentId: 'whole', reason: 'only_failures', detail: null },
    { segmentId: null, reason: 'no_steps', detail: null },
  ]
  expect(leftOut('t', made, excluded).map(({ stage, detail }) => [stage, detail])).toEqual([
    ['review', 'part 2 of 2'],
    ['segments', 'part 1 of 3'],
    ['review', 'part 2 of 3'],
    ['segments', 'whole'],
    ['filter', null],
  ])
})
