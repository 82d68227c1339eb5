import { forTerminal } from '../../../format.ts'

const MARK = /^(?:\p{Mark}|\u200D|\uFE0F)$/u
/** Characters that take two columns: East Asian wide ones (Unicode TR 11) and emoji. */
const WIDE =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]$|^\p{Emoji_Presentation}$/u

export const widthOf = (text: string): number => Array.from(text).reduce((width, sign) => width + widthOfSign(sign), 0)

const widthOfSign = (sign: string): number => (sign <= '~' ? 1 : MARK.test(sign) ? 0 : WIDE.test(sign) ? 2 : 1)

/** Cuts the text with an ellipsis or pads it with spaces to exactly `columns`. */
export function fit(text: string, columns: number): string {
  if (columns < 1) return ''
  const cut = widthOf(text) <= columns ? text : `${headOf(text, columns - 1)}…`
  return cut + ' '.repeat(columns - widthOf(cut))
}

function headOf(text: string, columns: number): string {
  let width = 0
  let head = ''
  for (const sign of text) {
    width += widthOfSign(sign)
    if (width > columns) return head
    head += sign
  }
  return head
}

/** Wraps to lines of at most `columns`; control characters become visible signs. */
export const wrap = (text: string, columns: number): string[] =>
  forTerminal(text)
    .replaceAll('\t', '    ')
    .split('\n')
    .flatMap((line) => wrapLine(line, columns))

function wrapLine(line: string, columns: number): string[] {
  const lines: string[] = []
  let current = ''
  let width = 0
  for (const sign of line) {
    const wide = widthOfSign(sign)
    if (width > 0 && width + wide > columns) {
      lines.push(current)
      current = ''
      width = 0
    }
    current += sign
    width += wide
  }
  return [...lines, current]
}

/** The screen is redrawn every second, so its text is limited. */
const MAX_CHARACTERS = 50_000

export const lastPart = (text: string): string =>
  text.length <= MAX_CHARACTERS ? text : `[... ${text.length - MAX_CHARACTERS} characters left out ...]\n${text.slice(-MAX_CHARACTERS)}`

/** Joins the text into one line. */
export const flat = (text: string): string => forTerminal(text.replaceAll(/\s+/g, ' ').trim())
