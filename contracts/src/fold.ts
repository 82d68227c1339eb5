/*
 * What counts as equal in a search: case, accents, width (`ﾕｰｻﾞｰ` and `ユーザー`), ligatures, composed and decomposed forms,
 * and characters that are not seen. The index, the filter and the marks on the screen use the same rule, so that a hit can be
 * shown where it was found.
 */

const NOT_ASCII = /[\u0080-\uffff]+/g
/** Accents, Hebrew and Arabic points, characters that are not seen (soft hyphen, joiners, variants) and skin tones. */
const DROPPED =
  // oxlint-disable-next-line no-misleading-character-class -- each is meant alone
  /[\u{300}-\u{36f}\u{483}-\u{487}\u{591}-\u{5bd}\u{5bf}\u{5c1}\u{5c2}\u{5c4}\u{5c5}\u{5c7}\u{640}\u{64b}-\u{652}\u{670}\u{1ab0}-\u{1aff}\u{1dc0}-\u{1dff}\u{20d0}-\u{20ff}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}]/gu
/** Letters that have no decomposition but are typed as others. */
const TYPED_AS = new Map([['ß', 'ss'], ['ς', 'σ'], ['ı', 'i'], ['ø', 'o'], ['đ', 'd'], ['ł', 'l'], ['æ', 'ae'], ['œ', 'oe']]) // prettier-ignore
const TYPED_LETTERS = new RegExp(`[${[...TYPED_AS.keys()].join('')}]`, 'g')
/** Signs that would become letters of the word before them. */
const MARKS_OF_TRADE = /[™℠©®]/g
/** A character with all that may melt into it: marks, halves of Korean syllables, half-width sound marks. */
const WITH_ITS_MARKS = /[^][\p{M}\u{1160}-\u{11ff}\u{d7b0}-\u{d7ff}\u{ff9e}-\u{ffdc}]*/gu

function foldRun(run: string): string {
  const plain = run.replaceAll(MARKS_OF_TRADE, ' ').normalize('NFKD').replaceAll(DROPPED, '').normalize('NFKC').toLowerCase()
  return plain.replaceAll(TYPED_LETTERS, (letter) => TYPED_AS.get(letter)!)
}

/** The text as it is compared; its length may differ. */
export const fold = (text: string): string => text.replaceAll(NOT_ASCII, foldRun).toLowerCase()

interface Folded {
  text: string
  /** For each UTF-16 unit of the folded text, and its end, the place in the original; null if they are the same. */
  places: readonly number[] | null
}

function foldWithPlaces(original: string): Folded {
  const places: number[] = []
  let text = ''
  let at = 0
  const keep = (end: number) => {
    text += original.slice(at, end).toLowerCase()
    for (; at < end; at += 1) places.push(at)
  }
  for (const { 0: run, index } of original.matchAll(NOT_ASCII)) {
    keep(index)
    for (const [piece] of run.matchAll(WITH_ITS_MARKS)) {
      const folded = foldRun(piece)
      text += folded
      for (let unit = 0; unit < folded.length; unit += 1) places.push(at)
      at += piece.length
    }
  }
  if (at === 0) return { text: original.toLowerCase(), places: null }
  keep(original.length)
  places.push(original.length)
  return { text, places }
}

/**
 * Scripts written without spaces between words, or, as in Korean, with parts of words that are searched for. Set notation (the
 * flag `v`) would be shorter, but older desktop shells do not know it.
 */
export const UNSPACED = String.raw`(?:(?=[\p{L}\p{M}\p{N}])[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])`
const OF_WORDS = String.raw`\p{L}\p{N}\p{M}\p{Co}`
/** What words consist of. */
export const IN_WORDS = `[${OF_WORDS}]`
const SPACED = `(?:(?!${UNSPACED})${IN_WORDS})`
const STARTS_SPACED = new RegExp(`^${SPACED}`, 'u')
const ENDS_SPACED = new RegExp(`${SPACED}$`, 'u')
const BETWEEN_WORDS = new RegExp(`[^${OF_WORDS}]+`, 'u')

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

export interface Place {
  /** In UTF-16 units, `end` exclusive. */
  start: number
  end: number
}

/**
 * Where a text has these words: as a whole word if it has one, else at the beginning of a word, else between other signs
 * (`foo_bar` in `foo bar`), else inside a word. Null if nowhere.
 */
export function placeOf(text: string, words: string): Place | null {
  const wanted = fold(words).trim()
  if (wanted === '') return null
  const folded = foldWithPlaces(text)
  for (const pattern of patternsOf(wanted, folded.text)) {
    const found = pattern.exec(folded.text)
    if (found) return inOriginal(folded, found.index, found.index + found[0].length)
  }
  return null
}

/** Every place where a text has these words, also inside of other words, or if it has none, between other signs. */
export function placesOf(text: string, words: string, max: number): Place[] {
  const wanted = fold(words).trim()
  if (wanted === '') return []
  const folded = foldWithPlaces(text)
  const pattern = folded.text.includes(wanted) ? new RegExp(escaped(wanted), 'gu') : betweenSigns(wanted, 'gu')
  if (!pattern) return []
  const places: Place[] = []
  for (const { 0: found, index } of folded.text.matchAll(pattern)) {
    if (places.length === max) break
    places.push(inOriginal(folded, index, index + found.length))
  }
  return places
}

function* patternsOf(wanted: string, text: string): Generator<RegExp> {
  const before = STARTS_SPACED.test(wanted) ? `(?<!${SPACED})` : ''
  const after = ENDS_SPACED.test(wanted) ? `(?!${SPACED})` : ''
  const isThere = text.includes(wanted)
  if (isThere) {
    yield new RegExp(`${before}${escaped(wanted)}${after}`, 'u')
    yield new RegExp(`${before}${escaped(wanted)}`, 'u')
  }
  const loose = betweenSigns(wanted, 'u')
  if (loose) yield loose
  if (isThere) yield new RegExp(escaped(wanted), 'u')
}

/** The words with any signs between them; null if there are no signs. */
function betweenSigns(wanted: string, flags: string): RegExp | null {
  const words = wanted.split(BETWEEN_WORDS).filter((word) => word !== '')
  if (words.length === 0 || words[0] === wanted) return null
  const before = STARTS_SPACED.test(words[0]!) ? `(?<!${SPACED})` : ''
  return new RegExp(`${before}${words.map(escaped).join(`[^${OF_WORDS}]+`)}`, flags)
}

function inOriginal({ places }: Folded, start: number, end: number): Place {
  if (places === null) return { start, end }
  let after = end
  while (after < places.length - 1 && places[after] === places[end - 1]) after += 1 // half of a letter is marked as a whole
  return { start: places[start]!, end: places[after]! }
}
