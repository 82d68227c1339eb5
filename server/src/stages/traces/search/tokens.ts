import { fold, IN_WORDS, UNSPACED } from '#contracts/fold.ts'

/*
 * The index is made of words, which its tokenizer finds between spaces and signs. In scripts without spaces each character is
 * a token, and a search asks for its characters in order, so that any part of a run is found. Emoji and other pictures are
 * tokens too.
 */

/** Changes when the same text would give other tokens; the index is then filled again. */
export const TOKENS_VERSION = 2

const PICTURE = String.raw`[[\p{Extended_Pictographic}\p{Regional_Indicator}\u{2600}-\u{27bf}]&&\p{So}]`
/** For the tokenizer, which knows categories only. */
export const TOKENIZER = `unicode61 remove_diacritics 0 categories 'L* N* M* Co So'`

const NOT_ASCII = /[\u0080-\uffff]+/g
const OTHER_SIGNS = new RegExp(String.raw`[\p{So}--${PICTURE}]+`, 'gv')
const ITS_OWN_TOKEN = new RegExp(`${UNSPACED}|${PICTURE}`, 'gv')
const A_TOKEN = new RegExp(`${IN_WORDS}|${PICTURE}`, 'v')
const ENDS_ITS_OWN = new RegExp(`(?:${UNSPACED}|${PICTURE})$`, 'v')

/** Dashes, quotes and accented letters come again and again. */
const shortRuns = new Map<string, string>()
const MAX_SHORT_RUNS = 5000

/** The text as the index's tokenizer should read it. ASCII, which is most text, is left as it is. */
export const tokensOf = (text: string): string => text.replaceAll(NOT_ASCII, tokensOfRun)

function tokensOfRun(run: string): string {
  const known = shortRuns.get(run)
  if (known !== undefined) return known
  const tokens = fold(run).replaceAll(OTHER_SIGNS, ' ').replaceAll(ITS_OWN_TOKEN, ' $& ')
  if (run.length <= 2 && shortRuns.size < MAX_SHORT_RUNS) shortRuns.set(run, tokens)
  return tokens
}

export const hasTokens = (tokens: string): boolean => A_TOKEN.test(tokens)
/** Whether the last token may be the beginning of a longer one. */
export const endsInWord = (tokens: string): boolean => !ENDS_ITS_OWN.test(tokens.trimEnd())
