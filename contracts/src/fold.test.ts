import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold, placeOf } from './fold.ts'
import { lineWith } from './found-line.ts'

const markedIn = (text: string, words: string) => {
  const place = placeOf(text, words)
  return place && text.slice(place.start, place.end)
}

test.each([
  ['éclair', 'e\u0301clair'],
  ['ＡＰＩ１', 'api1'],
  ['ﾕｰｻﾞｰ', 'ユーザー'],
  ['ガ', 'カ\u3099'],
  ['인증', '인증'.normalize('NFD')],
  ['й', 'и'],
  ['ΟΔΟΣ', 'οδός'],
  ['ﬁle', 'file'],
  ['Straße', 'STRASSE'],
  ['İstanbul', 'istanbul'],
  ['Łódź', 'lodz'],
  ['co\u00adoperate', 'cooperate'],
  ['👍🏽', '👍'],
  ['❤️', '❤'],
  ['①', '1'],
])('%s and %s are equal in a search', (one, other) => {
  expect(fold(one)).toBe(fold(other))
})

test.each([
  ['か', 'が'],
  ['ที่', 'ท'],
  ['나', '너'],
  ['मैं', 'म'],
])('%s and %s are not', (one, other) => {
  expect(fold(one)).not.toBe(fold(other))
})

test.each([
  ['naïve e\u0301clair here', 'éclair', 'e\u0301clair'],
  ['開始ﾕｰｻﾞｰ認証', 'ユーザー', 'ﾕｰｻﾞｰ'],
  ['ユーザー認証完了', '認証', '認証'],
  [`x ${'사용자인증이'.normalize('NFD')} y`, '인증', '인증'.normalize('NFD')],
  ['การเชื่อมต่อล้มเหลว', 'เชื่อมต่อ', 'เชื่อมต่อ'],
  ['İİİ Straße 漢字', '漢', '漢'],
  ['eine Straße', 'stras', 'Straß'],
  ['open a ﬁle', 'fi', 'ﬁ'],
  ['done 👍🏽 now', '👍', '👍🏽'],
  ['no-verify and --no-verify', '--no-verify', '--no-verify'],
  ['the latest test', 'test', 'test'],
  ['see user-id-hash', 'id_hash', 'id-hash'],
  ['gen-itgc后50条悬空引用', 'itgc后50', 'itgc后50'],
  ['a.b.c', 'zebra', null],
])('in "%s", %s marks what was written', (text, words, marked) => {
  expect(markedIn(text, words)).toBe(marked)
})

test('a whole word is preferred to the beginning of one, and that to the inside of one', () => {
  expect(placeOf('latest tests test', 'test')).toEqual({ start: 13, end: 17 })
  expect(placeOf('latest tests', 'test')).toEqual({ start: 7, end: 11 })
  expect(placeOf('latest', 'test')).toEqual({ start: 2, end: 6 })
})

test('a found line is the original text', () => {
  const line = lineWith('first\n  İ: die e\u0301clairs sind da\nlast', 'Éclairs')
  expect(line).toEqual({ before: 'İ: die ', match: 'e\u0301clairs', after: ' sind da' })
})

test('whatever the text, a word of it is found where it is, in whole characters', () => {
  const unit = fc.constantFrom(...Array.from('aé漢字ｻﾞゼ한ßİﬁ\u0301\u3099 _-👍🏽🇫🇷ก็\u200b'), '\u1112', '\u1161', '\u11ab')
  fc.assert(
    fc.property(
      fc.string({ unit, maxLength: 12 }),
      fc.string({ unit, maxLength: 6 }),
      fc.string({ unit, maxLength: 12 }),
      (before, word, after) => {
        const text = `${before} ${word} ${after}`
        const wanted = fold(word).trim()
        const marked = markedIn(text, word)
        if (wanted === '') return
        expect(fold(marked!)).toContain(wanted)
      },
    ),
  )
})
