import { expect, test } from 'vitest'
import type { BuiltExample, ExamplesOutput } from '../examples/types.ts'
import { toDroppedRows } from './examples-reader.ts'

test('counts each exclusion once, at the stage of its unit: a session, a segment or a part', () => {
  const examples = [{ segmentId: 'split' }] as BuiltExample[] // the only field that is read
  const excluded: ExamplesOutput['excluded'] = [
    { segmentId: 'split', reason: 'no_own_prompt', detail: 'part 2 of 2' },
    { segmentId: 'gone', reason: 'empty', detail: 'part 1 of 3' },
    { segmentId: 'gone', reason: 'no_own_prompt', detail: 'part 2 of 3' },
    { segmentId: 'whole', reason: 'only_failures', detail: null },
    { segmentId: null, reason: 'no_steps', detail: null },
  ]
  expect(toDroppedRows('t', examples, excluded).map(({ stage, detail }) => [stage, detail])).toEqual([
    ['review', 'part 2 of 2'],
    ['segments', 'part 1 of 3'],
    ['review', 'part 2 of 3'],
    ['segments', 'whole'],
    ['filter', null],
  ])
})
