/** A text as a model reads it, with the place of each character in the original. */
export interface PlainText {
  text: string
  /** The place in the original of a place in `text`. */
  at: (position: number) => number
  /** Runs of characters that nobody sees and that carry words: places in `text`. */
  hidden: { start: number; end: number }[]
}

const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/
/** Letters and signs that no screen shows. Flags of countries end with some, after U+1F3F4. */
const isTag = (code: number) => code >= 0xe0020 && code <= 0xe007f
const LETTER = /^[\p{L}\p{N}]$/u
/** Fewer are left over from editors and scripts that need joiners. */
const FEWEST_TAGS = 4
const FEWEST_SPLITS = 5

/** NFKC, without invisible characters; tag characters become what they say. */
export function plainOf(source: string): PlainText {
  if (!/[\u0080-\uffff]/.test(source)) return { text: source, at: (position) => position, hidden: [] }
  const parts: string[] = []
  const places: number[] = []
  const hidden: PlainText['hidden'] = []
  let [tags, splits, splitFrom, isFlag, before] = [0, 0, 0, false, '']
  const endTags = () => {
    if (tags >= FEWEST_TAGS && !isFlag) hidden.push({ start: places.length - tags, end: places.length })
    tags = 0
  }
  for (let index = 0; index < source.length;) {
    const code = source.codePointAt(index)!
    const char = String.fromCodePoint(code)
    if (isTag(code)) {
      if (tags === 0) isFlag = before === '\u{1f3f4}'
      parts.push(String.fromCharCode(code - 0xe0000))
      places.push(index)
      tags += 1
    } else {
      endTags()
      if (code > 0x7f && INVISIBLE.test(char)) {
        const next = source[index + 1] ?? ''
        if (LETTER.test(before) && LETTER.test(next) && /[a-z]/i.test(before)) {
          if (splits === 0) splitFrom = places.length
          splits += 1
        }
        index += 1
        continue
      }
      const plain = code < 0x80 ? char : char.normalize('NFKC')
      parts.push(plain)
      for (let unit = 0; unit < plain.length; unit++) places.push(index)
      before = char
    }
    index += char.length
  }
  endTags()
  if (splits >= FEWEST_SPLITS) hidden.push({ start: Math.max(0, splitFrom - 1), end: places.length })
  return { text: parts.join(''), at: (position) => places[position] ?? source.length, hidden }
}
