import { fold, IN_WORDS, UNSPACED } from '#contracts/fold.ts'

/*
 * The index is made of words, which its tokenizer finds between spaces and signs. Scripts without spaces have none, so their
 * runs become overlapping pairs of characters, which a search asks for in order: `認証完了` is 認証 証完 完了 了. The last
 * character stands alone, so that every character begins a token. Emoji and other pictures are tokens too.
 */

/** Changes when the same text would give other tokens; the index is then filled again. */
export const TOKENS_VERSION = 2

const PICTURE = String.raw`[[\p{Extended_Pictographic}\p{Regional_Indicator}\u{2600}-\u{27bf}]&&\p{So}]`
/** For the tokenizer, which knows categories only. */
export const TOKENIZER = `unicode61 remove_diacritics 0 categories 'L* N* M* Co So'`

const NOT_ASCII = /[^\0-\x7f]+/g
const OTHER_SIGNS = new RegExp(String.raw`[\p{So}--${PICTURE}]+`, 'gv')
const RUN_OR_PICTURE = new RegExp(`${UNSPACED}+|${PICTURE}`, 'gv')
const ONE_UNSPACED = new RegExp(`^${UNSPACED}$`, 'v')
const A_TOKEN = new RegExp(`${IN_WORDS}|${PICTURE}`, 'v')

/** The text as the index's tokenizer should read it. ASCII, which is most text, is left as it is. */
export const tokensOf = (text: string): string =>
  text.replaceAll(NOT_ASCII, (run) => fold(run).replaceAll(OTHER_SIGNS, ' ').replaceAll(RUN_OR_PICTURE, inPairs))

function inPairs(run: string): string {
  const characters = Array.from(run)
  return ` ${characters.map((character, index) => character + (characters[index + 1] ?? '')).join(' ')} `
}

export interface Wanted {
  /** To be read by the tokenizer. */
  text: string
  /** What it ends in. In scripts without spaces a word has no end: a single character is the beginning of tokens, a pair is a token. */
  end: 'pair' | 'character' | 'word'
}

/** The tokens that a search asks for; null if the text has none. */
export function wantedTokens(text: string): Wanted | null {
  const tokens = tokensOf(text).trimEnd()
  if (!A_TOKEN.test(tokens)) return null
  const parts = tokens.split(' ')
  const last = parts.at(-1)!
  if (!ONE_UNSPACED.test(last)) return { text: tokens, end: 'word' }
  const previous = parts.at(-2) ?? ''
  // the run may go on in the text, so its last character is only asked for as the second of a pair
  return previous.endsWith(last) ? { text: parts.slice(0, -1).join(' '), end: 'pair' } : { text: tokens, end: 'character' }
}
