import { expect, it } from 'vitest'
import { type Live, NOTHING_YET } from './live.ts'
import { endOf } from './runner.ts'

it('reports a full disk by the exit code if the trainer could not write its last event', () => {
  const { state, error } = endOf({ requestedAction: null }, { code: 74, signal: null }, NOTHING_YET, 'the log')
  expect([state, error]).toEqual(['failed', { code: 'disk_full', message: expect.stringMatching(/^The disk is full.*resume/) as string, row: null, logTail: 'the log' }]) // prettier-ignore
})

it('lets a cancel win over a pause, but not over a completed run', () => {
  const stateOf = (requestedAction: 'pause' | 'cancel', kind: 'paused' | 'complete') =>
    endOf({ requestedAction }, { code: 0, signal: null }, { ...NOTHING_YET, outcome: { kind } as Live['outcome'] }, '').state
  expect(stateOf('cancel', 'paused')).toBe('cancelled')
  expect(stateOf('pause', 'paused')).toBe('paused')
  expect(stateOf('cancel', 'complete')).toBe('completed')
})
