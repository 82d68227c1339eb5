import { expect, test } from 'vitest'
import { changesOf, type EditableFields } from './changes.ts'

const before: EditableFields = { name: 'first', tags: ['a', 'b'], description: null, note: 'mine' }

test('only changed fields are saved, so that changes from another window are kept', () => {
  expect(changesOf(before, before)).toEqual({})
  expect(changesOf(before, { ...before, note: null })).toEqual({ note: null })
  expect(changesOf(before, { ...before, name: 'second', description: 'It lists.' })).toEqual({ name: 'second', description: 'It lists.' })
  expect(changesOf(before, { ...before, tags: ['b', 'mine'] })).toEqual({ addTags: ['mine'], removeTags: ['a'] })
})
