import { expect, it } from 'vitest'
import { parseFilter } from '#contracts/filter.ts'
import { DEFAULTS, inputOf, queryOf, readChoice, writeOptions, writeList } from './choice.ts'

const read = (search: string, hasSelection = false) => readChoice(new URLSearchParams(search), hasSelection)

it('defaults to the selection if there is one, else to the filter', () => {
  expect(read('', true).source).toBe('selection')
  expect(read('').source).toBe('filter')
  expect(read('from=view&view=7', true)).toMatchObject({ source: 'view', view: '7' })
})

it('writes tiers and repositories in the filter syntax of the session list', () => {
  const repos = ['shop api', 'a,b', 'plain', 'has:colon', 'quo"te\\d']
  const choice = read(`tiers=gold,silver,wood&repos=${encodeURIComponent(writeList(repos))}`)
  const query = queryOf(choice, null) ?? ''
  const { terms, errors } = parseFilter(query)
  expect(errors).toEqual([])
  expect(terms.map(({ field, value }) => [field, value])).toEqual([
    ['tier', { kind: 'any', values: ['gold', 'silver'], not: false }],
    ['repo', { kind: 'any', values: repos, not: false }],
  ])
})

it('has a minimum quality unless tiers are given or any quality is chosen', () => {
  const minimums = ['tiers=', 'tiers=gold', 'quality=any', 'quality=0.3'].map((search) => read(search).minQuality)
  expect(minimums).toEqual([0.7, null, null, 0.3])
  const input = { selection: { filter: {} }, options: DEFAULTS, minQuality: 0, unverified: false, runs: [] }
  expect(inputOf(read('quality=any'), '', [])).toEqual(input)
  expect(inputOf(read('quality=any&unverified=1&runs=a'), '', [])).toEqual({ ...input, unverified: true, runs: ['a'] })
})

it('uses the tiers of a new data set by default, unless the filter names some', () => {
  expect(read('').tiers).toEqual(['gold', 'silver'])
  expect(read('tiers=').tiers).toEqual([])
  expect(read('q=tier:bronze').tiers).toEqual([])
})

it('makes no request without a selection, and requests selected ids of any quality', () => {
  const choice = read('from=selection')
  expect(inputOf(choice, queryOf(choice, null), [])).toBeNull()
  expect(inputOf(choice, queryOf(choice, null), ['a'])).toEqual({ selection: { ids: ['a'] }, options: DEFAULTS })
})

it('stores changed options in the URL', () => {
  expect(writeOptions(DEFAULTS)).toBeNull()
  const text = writeOptions({ ...DEFAULTS, maxTurns: 4, systemPrompt: { kind: 'own', text: 'Be brief.' } })
  expect(JSON.parse(text ?? '')).toEqual({ maxTurns: 4, systemPrompt: { kind: 'own', text: 'Be brief.' } })
  expect(read(`options=${encodeURIComponent(text ?? '')}`).options).toMatchObject({ maxTurns: 4, thinking: true })
  expect(read('options=%7Bbroken').options).toEqual(DEFAULTS)
})
