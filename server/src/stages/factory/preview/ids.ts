interface Tokens {
  encode: (text: string) => number[]
  /** Ids with where in the text each begins, for a tokenizer that puts a space before whatever it is given; else null. */
  startsOf: (text: string) => Placed[] | null
}

/**
 * The ids of each piece. By the rule of `bashgym_trainers/ids.py`: each alone, but where the tokenizer puts a space before
 * whatever it is given, those of the whole text, a token in the piece in which it begins.
 */
export function encodePieces(encoder: Tokens, texts: readonly string[]): number[][] {
  const starts = encoder.startsOf(texts.join(''))
  if (starts === null) return texts.map((text) => encoder.encode(text))
  const found: number[][] = []
  let [at, end] = [0, 0]
  for (const [number, text] of texts.entries()) {
    end += text.length
    const ids: number[] = []
    while (at < starts.length && (starts[at]!.start < end || number === texts.length - 1)) {
      ids.push(starts[at]!.id)
      at += 1
    }
    found.push(ids)
  }
  return found
}

export interface Placed {
  id: number
  /** Where in the text it begins. */
  start: number
}

const SPACE = '▁'
const BYTE = /^<0x([0-9A-F]{2})>$/

/** Where the tokens of a text begin that was tokenized with spaces as ▁ and one before it; the library does not say. */
export function placesOf(text: string, tokens: readonly { id: number; text: string }[]): Placed[] {
  const placed: Placed[] = []
  let at = 0
  let bytes: number[] = []
  for (const { id, text: token } of tokens) {
    placed.push({ id, start: at })
    const byte = BYTE.exec(token)
    if (byte) {
      bytes.push(Number.parseInt(byte[1]!, 16))
      const sign = String.fromCodePoint(text.codePointAt(at) ?? 0)
      if (bytes.length < Buffer.byteLength(sign)) continue
      at += sign.length
      bytes = []
      continue
    }
    const tokenText = token.replaceAll(SPACE, ' ')
    if (text.startsWith(tokenText, at)) at += tokenText.length
    else if (tokenText.startsWith(' ') && text.startsWith(tokenText.slice(1), at)) at += tokenText.length - 1
    else at += 1 // a sign that the vocabulary does not have
  }
  return placed
}

/** Whether a text's first token has a space that the text does not have. */
export const addsSpace = (tokenOfLetter: string | undefined): boolean => tokenOfLetter?.startsWith(SPACE) ?? false
