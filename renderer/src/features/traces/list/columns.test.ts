import { describe, expect, it } from 'vitest'
import { COLUMNS, DEFAULT_COLUMNS, columnsFor, nextSort } from './columns.ts'

const column = (id: string) => {
  const found = COLUMNS.find((known) => known.id === id)
  if (!found) throw new Error(`no column ${id}`)
  return found
}

describe('columns', () => {
  it('leave by importance until the rest fits, and title and tier stay', () => {
    const wide = columnsFor(DEFAULT_COLUMNS, 2000).map(({ id }) => id)
    expect(wide).toEqual(DEFAULT_COLUMNS)
    const narrow = columnsFor(DEFAULT_COLUMNS, 400).map(({ id }) => id)
    expect(narrow).toEqual(['tier', 'title', 'age'])
    expect(columnsFor(DEFAULT_COLUMNS, 10).map(({ id }) => id)).toEqual(['tier', 'title'])
  })

  it('sort figures downwards first, words upwards first, and turn round', () => {
    expect(nextSort('-endedAt', column('cost'))).toBe('-cost')
    expect(nextSort('-cost', column('cost'))).toBe('cost')
    expect(nextSort('-endedAt', column('repo'))).toBe('repo')
    expect(nextSort('repo', column('outcome'))).toBe('repo')
  })
})
