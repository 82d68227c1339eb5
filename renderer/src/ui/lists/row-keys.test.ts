import { expect, test } from 'vitest'
import { rowKeys } from './row-keys.ts'
import { NOTHING } from './selection.ts'

/** A list of four rows, with the state that a screen keeps. */
function aList(currentId: string | null) {
  const state = { ids: ['a', 'b', 'c', 'd'], currentId, selection: NOTHING }
  const keys = () =>
    rowKeys({
      ...state,
      goTo: (id) => (state.currentId = id),
      select: (next) => (state.selection = next),
    })
  const selected = () => (state.selection.kind === 'all' ? ['all'] : [...state.selection.ids].toSorted())
  return { state, keys, selected }
}

const fail = () => expect.fail('nothing should move')

test('steps start at the first row and stay within the list', () => {
  const { state, keys } = aList(null)
  keys().previous()
  expect(state.currentId).toBe('a')
  keys().previous()
  expect(state.currentId).toBe('a')
  for (let times = 0; times < 5; times += 1) keys().next()
  expect(state.currentId).toBe('d')
})

test('Shift extends the selection from its start, up to the ends', () => {
  const { state, keys, selected } = aList('c')
  keys().extendDown()
  expect(selected()).toEqual(['c', 'd'])
  keys().extendDown()
  expect(state.currentId).toBe('d')
  expect(selected()).toEqual(['c', 'd'])
  keys().extendUp()
  keys().extendUp()
  expect(selected()).toEqual(['b', 'c', 'd'])
})

test('nothing moves without rows or with the focus elsewhere', () => {
  const keys = rowKeys({ ids: [], currentId: null, selection: NOTHING, goTo: fail, select: fail })
  keys.next()
  keys.extendDown()
  keys.select()
  const away = rowKeys({ ids: ['a'], currentId: 'a', selection: NOTHING, goTo: fail, select: fail, isElsewhere: () => true })
  expect(away.next()).toBe(false)
})
