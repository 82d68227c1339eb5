import { describe, expect, it } from 'vitest'
import { filterOf, filterStateOf, formatUrl, parseUrl } from './url-state.ts'

const id = 'abcdefghijklmnopqrstuvwxyz'

describe('the address of the traces screen', () => {
  it('restores filter, sort, open trace, tab and item from a link', () => {
    const state = {
      q: 'tier:gold "free text"',
      sort: '-cost',
      id,
      tab: 'diff',
      item: `${id}:toolu_1`,
    } as const
    expect(parseUrl(formatUrl(state).replace('/traces', ''))).toEqual(state)
  })

  it('omits default values', () => {
    expect(formatUrl(parseUrl(''))).toBe('/traces')
    expect(formatUrl({ ...parseUrl(''), q: 'tier:gold' })).toBe('/traces?q=tier%3Agold')
  })

  it('drops an unknown sort, a malformed id and what belongs to it', () => {
    expect(parseUrl('?sort=size&id=../etc&tab=diff&item=x')).toEqual({
      q: '',
      sort: '-endedAt',
      id: null,
      tab: 'diff',
      item: null,
    })
  })

  it('requests only the valid terms', () => {
    expect(filterOf({ q: 'teir:x tier:gold cost:much' })).toEqual({ q: 'tier:gold' })
    expect(filterOf(parseUrl('?q=%20tier:gold%20'))).toEqual({ q: 'tier:gold' })
  })

  it('distinguishes a filter that cannot be parsed from one that is applied', () => {
    expect(filterStateOf({ q: ' ' })).toBe('none')
    expect(filterStateOf({ q: 'teir:x cost:much' })).toBe('unread')
    expect(filterStateOf({ q: 'teir:x word' })).toBe('applied')
  })
})
