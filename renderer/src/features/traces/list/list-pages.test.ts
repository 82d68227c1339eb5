import { describe, expect, it } from 'vitest'
import { countNew, countSentence } from './list-pages.ts'

describe('the loaded pages of the list', () => {
  it('announce only new sessions that match', () => {
    expect(countNew(12, 112, 100)).toBe(12)
    expect(countNew(12, 103, 100)).toBe(3)
    expect(countNew(12, 100, 100)).toBe(0)
    expect(countNew(0, 103, 100)).toBe(0)
    expect(countNew(3, undefined, 100)).toBe(0)
  })

  it('say what is counted, and that an invalid filter is not applied', () => {
    expect(countSentence(1, 'none', false)).toBe('1 session')
    expect(countSentence(1, 'applied', false)).toBe('1 session matches')
    expect(countSentence(20_000, 'applied', true)).toBe('20,000 or more sessions match')
    expect(countSentence(9, 'unread', false)).toBe('9 sessions; the filter is not valid, so it is not applied')
  })
})
