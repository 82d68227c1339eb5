import { describe, expect, it } from 'vitest'
import { COLUMNS, DEFAULT_COLUMNS, columnsFor, repoPx } from './columns.ts'

describe('columns', () => {
  it('are dropped by importance until the rest fits; title and tier always stay', () => {
    const wide = columnsFor(DEFAULT_COLUMNS, 2000).map(({ id }) => id)
    expect(wide).toEqual(DEFAULT_COLUMNS)
    const narrow = columnsFor(DEFAULT_COLUMNS, 400).map(({ id }) => id)
    expect(narrow).toEqual(['tier', 'title', 'age'])
    expect(columnsFor(DEFAULT_COLUMNS, 10).map(({ id }) => id)).toEqual(['tier', 'title'])
  })

  it('give the title the most width, and the repository what its longest name needs', () => {
    const repo = repoPx(['api', null, 'payments-gateway-service'])
    const widthOf = (width: number, id: string) => columnsFor(DEFAULT_COLUMNS, width, repo).find((column) => column.id === id)?.width
    expect([widthOf(1000, 'title'), widthOf(700, 'title')]).toEqual([420, 294])
    expect(widthOf(1000, 'repo')).toBeGreaterThan('payments-gateway-service'.length * 7)
    expect(widthOf(1000, 'quality')).toBeUndefined()
  })

  it('sort numbers descending first, words ascending first', () => {
    const firstOf = (id: string) => COLUMNS.find((known) => known.id === id)?.sort
    expect(['cost', 'endedAt', 'age', 'repo', 'outcome'].map(firstOf)).toEqual(['-cost', undefined, '-endedAt', 'repo', null])
  })
})
