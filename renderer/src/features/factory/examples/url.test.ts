import { expect, it } from 'vitest'
import { readUrl } from './url.ts'

const read = (search: string) => readUrl(new URLSearchParams(search))

it('reads a link and ignores invalid parts', () => {
  expect(read('state=accepted,platinum&tier=gold&repo=shop&flag=edited&q=fix&min=512&max=1024&trace=short').filter).toEqual({
    state: ['accepted'],
    tier: ['gold'],
    repo: 'shop',
    flag: 'edited',
    q: 'fix',
    minTokens: 512,
    maxTokens: 1024,
  })
  expect(read('sort=nothing&id=..%2F&cut=9&min=-1')).toEqual({ filter: {}, sort: '-createdAt', id: null, picture: 'lengths', cut: 8192 })
  expect(read(`sort=tokens&id=${'a'.repeat(26)}&picture=repos&cut=4096`)).toMatchObject({
    sort: 'tokens',
    id: 'a'.repeat(26),
    picture: 'repos',
    cut: 4096,
  })
})
