import { expect, test } from 'vitest'
import { rangesOf } from './marks.ts'

const textOf = (html: string, words: string[], isFolded = true) => {
  const box = document.createElement('div')
  box.innerHTML = html
  return rangesOf(box, words, isFolded).map(String)
}

test('marks are where a search finds, across elements, in the characters that were written', () => {
  expect(textOf('<p>an e\u0301clair, an <b>ÉCL</b>AIR</p>', ['éclair'])).toEqual(['e\u0301clair', 'ÉCLAIR'])
  expect(textOf('<p>İİ 開始ﾕｰ<i>ｻﾞｰ</i>認証</p>', ['ユーザー', '認証'])).toEqual(['ﾕｰｻﾞｰ', '認証'])
  expect(textOf('<p>latest test</p>', ['test'])).toEqual(['test', 'test'])
  expect(textOf('<p>foo-bar</p>', ['foo_bar'])).toEqual(['foo-bar'])
})

test('a secret is marked as it is', () => {
  expect(textOf('<p>KEY key k\u00e9y</p>', ['key', ''], false)).toEqual(['key'])
})
