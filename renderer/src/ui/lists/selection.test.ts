import { describe, expect, it } from 'vitest'
import { extendTo, isSelected, listedOf, NOTHING, selectAll, sizeOf, toggle, without } from './selection.ts'

const loaded = ['a', 'b', 'c', 'd', 'e']
const ids = (selection: ReturnType<typeof toggle>) => (selection.kind === 'ids' ? [...selection.ids].toSorted() : 'all')

describe('selecting rows', () => {
  it('adds and removes single rows', () => {
    const one = toggle(toggle(NOTHING, 'b', loaded), 'd', loaded)
    expect(ids(one)).toEqual(['b', 'd'])
    expect(ids(toggle(one, 'b', loaded))).toEqual(['d'])
  })

  it('extends from the anchor in both directions and keeps what was selected', () => {
    const anchored = toggle(toggle(NOTHING, 'a', loaded), 'c', loaded)
    expect(ids(extendTo(anchored, 'e', loaded))).toEqual(['a', 'c', 'd', 'e'])
    expect(ids(extendTo(anchored, 'b', loaded))).toEqual(['a', 'b', 'c'])
  })

  it('starts a range at the row itself when nothing was selected before', () => {
    expect(ids(extendTo(NOTHING, 'c', loaded))).toEqual(['c'])
  })

  it('counts everything that the filter matches, also what is not loaded', () => {
    const all = selectAll(NOTHING)
    expect(sizeOf(all, 1204)).toBe(1204)
    expect(isSelected(all, 'not loaded')).toBe(true)
  })

  it('becomes the other loaded rows when one row is removed from a selection of everything', () => {
    expect(ids(toggle(selectAll(NOTHING), 'c', loaded))).toEqual(['a', 'b', 'd', 'e'])
  })

  it('forgets a removed row and an anchor on it', () => {
    const gone = without(toggle(NOTHING, 'b', loaded), 'b')
    expect(gone).toEqual({ kind: 'ids', ids: new Set(), anchor: null })
  })

  it('drops rows that are no longer listed', () => {
    const two = toggle(toggle(NOTHING, 'a', loaded), 'b', loaded)
    expect(listedOf(two, ['a', 'c'])).toEqual({ kind: 'ids', ids: new Set(['a']), anchor: null })
    expect(listedOf(two, loaded)).toBe(two)
  })
})
