interface PieceEncoder {
  encode: (text: string) => number[]
  /** Ids with their positions, for a tokenizer that puts a space before every text; else null. */
  startsOf: (text: string) => PositionedToken[] | null
}

/**
 * The ids of each piece, by the rule of `bashgym_trainers/ids.py`: pieces are encoded one by one, unless the tokenizer puts a
 * space before every text. Then the whole text is encoded, and a token belongs to the piece in which it begins.
 */
export function encodePieces(encoder: PieceEncoder, texts: readonly string[]): number[][] {
  const starts = encoder.startsOf(texts.join(''))
  if (starts === null) return texts.map((text) => encoder.encode(text))
  const idsOfPieces: number[][] = []
  let [at, end] = [0, 0]
  for (const [number, text] of texts.entries()) {
    end += text.length
    const ids: number[] = []
    while (at < starts.length && (starts[at]!.start < end || number === texts.length - 1)) {
      ids.push(starts[at]!.id)
      at += 1
    }
    idsOfPieces.push(ids)
  }
  return idsOfPieces
}

export interface PositionedToken {
  id: number
  /** Position in the text. */
  start: number
}

const SPACE = '▁'
const BYTE = /^<0x([0-9A-F]{2})>$/

/** Computes the positions of tokens, which the library does not return. Spaces are ▁, and an extra one begins the text. */
export function positionTokens(text: string, tokens: readonly { id: number; text: string }[]): PositionedToken[] {
  const positioned: PositionedToken[] = []
  let at = 0
  let bytes: number[] = []
  for (const { id, text: token } of tokens) {
    positioned.push({ id, start: at })
    const byte = BYTE.exec(token)
    if (byte) {
      bytes.push(Number.parseInt(byte[1]!, 16))
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
      if (bytes.length < Buffer.byteLength(character)) continue
      at += character.length
      bytes = []
      continue
    }
    const tokenText = token.replaceAll(SPACE, ' ')
    if (text.startsWith(tokenText, at)) at += tokenText.length
    else if (tokenText.startsWith(' ') && text.startsWith(tokenText.slice(1), at)) at += tokenText.length - 1
    else at += 1 // a character that is not in the vocabulary
  }
  return positioned
}

/** True if a tokenizer puts a space before every text. `tokenOfLetter`: its first token for a single letter. */
export const addsSpace = (tokenOfLetter: string | undefined): boolean => tokenOfLetter?.startsWith(SPACE) ?? false
