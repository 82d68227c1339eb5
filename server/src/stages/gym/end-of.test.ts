import { expect, it } from 'vitest'
import { NOTHING_YET } from './live.ts'
import { endOf } from './runner.ts'

it('says of a disk that was too full for a last word that it is full', () => {
  const { state, error } = endOf({ wish: null }, { code: 74, signal: null }, NOTHING_YET, 'the log')
  expect([state, error]).toEqual(['failed', { code: 'disk_full', message: expect.stringMatching(/^The disk is full.*resume/) as string, row: null, logTail: 'the log' }]) // prettier-ignore
})
