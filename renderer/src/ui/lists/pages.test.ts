import { expect, it } from 'vitest'
import { rowsOf } from './pages.ts'

const page = (...ids: string[]) => ({ items: ids.map((id) => ({ id })) })

it('a row that occurs on two pages is shown once', () => {
  expect(rowsOf([page('a', 'b'), page('b', 'c')]).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})
