import { expect, it } from 'vitest'
import { headlineOf } from './headline.ts'
import { draftOf } from './recipe.ts'

const headline = (search: string, selectedIds: string[] = []) => headlineOf(draftOf(new URLSearchParams(search), selectedIds))

it.each([
  ['', 'Gold (verified) and silver → train and validation'],
  ['tiers=gold', 'Gold (verified) → train and validation'],
  ['q=repo:api', 'Gold (verified) and silver → train and validation'],
  ['q=tier:bronze', 'Sessions that match the filter → train and validation'],
  ['kind=dpo&q=repo:api', 'Sessions that match the filter, of every tier → train and validation'],
  ['kind=kto', 'Sessions of every tier → train and validation'],
])('describes the recipe: %s', (search, words) => expect(headline(search)).toBe(words))

it('names selected sessions and the splits', () => {
  expect(headline('from=selection', ['a', 'b'])).toBe('2 selected sessions → train and validation')
  expect(headlineOf({ ...draftOf(new URLSearchParams()), val: '0', test: '0.2' })).toBe('Gold (verified) and silver → train and test')
})
