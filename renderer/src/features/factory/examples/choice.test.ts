import { expect, it } from 'vitest'
import { parseFilter } from '#contracts/filter.ts'
import { DEFAULTS, inputOf, queryOf, readChoice, writeOptions, writeRepos } from './choice.ts'

const read = (search: string, hasSelection = false) => readChoice(new URLSearchParams(search), hasSelection)

it('takes a selection when there is one, else the filter', () => {
  expect(read('', true).source).toBe('selection')
  expect(read('').source).toBe('filter')
  expect(read('from=view&view=7', true)).toMatchObject({ source: 'view', view: '7' })
})

it('writes tiers and repositories as the list of sessions filters', () => {
  const repos = ['shop api', 'a,b', 'plain', 'has:colon', 'quo"te\\d']
  const choice = read(`tiers=gold,silver,wood&repos=${encodeURIComponent(writeRepos(repos))}`)
  const query = queryOf(choice, null) ?? ''
  const { terms, errors } = parseFilter(query)
  expect(errors).toEqual([])
  expect(terms.map(({ field, value }) => [field, value])).toEqual([
    ['tier', { kind: 'any', values: ['gold', 'silver'], not: false }],
    ['repo', { kind: 'any', values: repos, not: false }],
  ])
})

it('asks for quality unless tiers are named, or any is said', () => {
  expect([read('').minQuality, read('tiers=gold').minQuality, read('quality=any').minQuality, read('quality=0.3').minQuality]).toEqual([
    0.7,
    null,
    null,
    0.3,
  ])
  expect(inputOf(read('quality=any'), '', [])).toEqual({ selection: { filter: {} }, options: DEFAULTS, minQuality: 0 })
})

it('asks nothing while nothing is selected, and takes ids whatever their quality', () => {
  const choice = read('from=selection')
  expect(inputOf(choice, queryOf(choice, null), [])).toBeNull()
  expect(inputOf(choice, queryOf(choice, null), ['a'])).toEqual({ selection: { ids: ['a'] }, options: DEFAULTS })
})

it('keeps options in the address, those that differ', () => {
  expect(writeOptions(DEFAULTS)).toBeNull()
  const text = writeOptions({ ...DEFAULTS, maxTurns: 4, systemPrompt: { kind: 'own', text: 'Be brief.' } })
  expect(JSON.parse(text ?? '')).toEqual({ maxTurns: 4, systemPrompt: { kind: 'own', text: 'Be brief.' } })
  expect(read(`options=${encodeURIComponent(text ?? '')}`).options).toMatchObject({ maxTurns: 4, thinking: true })
  expect(read('options=%7Bbroken').options).toEqual(DEFAULTS)
})
