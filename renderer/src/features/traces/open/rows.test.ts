import { describe, expect, it } from 'vitest'
import type { TimelineRow } from '#contracts/entities/step.ts'
import { aRow } from '../fixtures.ts'
import { depthOf, withDescendants, mergeRows, pagesAround, parentsOf, placeOf, READ_ALL, visibleRows } from './rows.ts'

describe('the rows on the page of a session', () => {
  const rows = [
    aRow({ kind: 'prompt' }),
    aRow({ kind: 'thinking' }),
    aRow({ kind: 'call', tool: 'Agent' }),
    aRow({ kind: 'prompt', agent: 'a1' }),
    aRow({ kind: 'call', agent: 'a1' }),
    aRow({ kind: 'text' }),
  ]

  it('are all of them by default', () => {
    expect(visibleRows(rows, READ_ALL)).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('fold a sub-agent together with those that it started', () => {
    const parents = parentsOf(
      [
        { id: 'a1', parentStepId: 's1' },
        { id: 'a2', parentStepId: 's2' },
        { id: 'a3', parentStepId: null },
      ],
      (step) => ({ s1: 'main', s2: 'a1' })[step],
    )
    expect([...withDescendants(new Set(['a1']), parents)]).toEqual(['a1', 'a2'])
    expect([...withDescendants(new Set(['a2']), parents)]).toEqual(['a2'])
  })

  it('are calls under their prompts with "only tools"', () => {
    expect(visibleRows(rows, { ...READ_ALL, onlyTools: true })).toEqual([0, 2, 4])
  })

  it('exclude the steps of a folded sub-agent', () => {
    expect(visibleRows(rows, { ...READ_ALL, foldedAgents: new Set(['a1']) })).toEqual([0, 1, 2, 5])
  })

  it('are those of a selected range', () => {
    expect(visibleRows(rows, { ...READ_ALL, range: { first: 1, last: 3 } })).toEqual([1, 2, 3])
  })

  it('nest by the levels of their position', () => {
    expect(depthOf({ agent: 'main', position: '00000001' })).toBe(0)
    expect(depthOf({ agent: 'a1', position: '0000000100000002' })).toBe(1)
    expect(depthOf({ agent: 'a2', position: '00000001.00000002.00000003' })).toBe(2)
  })
})

describe('pages of bodies', () => {
  it('are those in view and their neighbours, inside the session', () => {
    expect(pagesAround([0, 1, 2], 1000)).toEqual([0, 1])
    expect(pagesAround([98, 99, 100], 1000)).toEqual([0, 1, 2, 3])
    expect(pagesAround([990], 1000)).toEqual([18, 19])
    expect(pagesAround([], 1000)).toEqual([])
  })

  it('cover rows that are far apart because of a filter', () => {
    expect(pagesAround([0, 500], 1000)).toEqual([0, 10, 11])
  })
})

describe('the place of a row among the visible ones', () => {
  it('is its own, or that of the nearest row before it', () => {
    expect(placeOf([0, 2, 4, 9], 4)).toBe(2)
    expect(placeOf([0, 2, 4, 9], 5)).toBe(2)
    expect(placeOf([3], 0)).toBe(0)
  })
})

describe('growth of a session', () => {
  const [first, second, third] = ['a', 'b', 'c'].map((position) => aRow({ id: position, position })) as [
    TimelineRow,
    TimelineRow,
    TimelineRow,
  ]

  it('replaces rows that changed and puts new ones in their places', () => {
    const answered = { ...first, success: true }
    expect(mergeRows([first, third], [answered, second])).toEqual([answered, second, third])
  })

  it('returns the same rows when nothing changed', () => {
    const known = [first, second]
    expect(mergeRows(known, [])).toBe(known)
  })
})
