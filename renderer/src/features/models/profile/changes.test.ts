import { expect, test } from 'vitest'
import { changesOf, type Said } from './changes.ts'

const before: Said = { name: 'first', tags: ['a', 'b'], description: null, note: 'mine' }

test('only what was changed is written, so that another window loses nothing', () => {
  expect(changesOf(before, before, before)).toEqual({})
  expect(changesOf(before, { ...before, note: null }, { tags: ['a', 'b', 'theirs'] })).toEqual({ note: null })
  expect(changesOf(before, { ...before, name: 'second', description: 'It lists.' }, before)).toEqual({
    name: 'second',
    description: 'It lists.',
  })
})

test('tags that came or went elsewhere meanwhile stay so', () => {
  expect(changesOf(before, { ...before, tags: ['b', 'mine'] }, { tags: ['a', 'b', 'theirs'] }).tags).toEqual(['b', 'theirs', 'mine'])
  expect(changesOf(before, { ...before, tags: ['a', 'b', 'mine'] }, { tags: ['a'] }).tags).toEqual(['a', 'mine'])
})
