import { expect, it } from 'vitest'
import { nextSort, sortDirection } from './row-sort.ts'

it('sorts by the first direction of a column, then by the other', () => {
  const press = (current: string, first: string) => nextSort(current, first)
  expect(press('-createdAt', '-tokens')).toBe('-tokens')
  expect(press('-tokens', '-tokens')).toBe('tokens')
  expect(press('tokens', '-tokens')).toBe('-tokens')
  expect(press('-tokens', 'repo')).toBe('repo')
  expect(press('repo', 'repo')).toBe('-repo')
})

it('gives a direction only for the column that the rows are sorted by', () => {
  expect(sortDirection('-tokens', '-tokens')).toBe('descending')
  expect(sortDirection('tokens', '-tokens')).toBe('ascending')
  expect(sortDirection('tokens', '-steps')).toBe('none')
})
