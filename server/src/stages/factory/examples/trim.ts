/** The share of what is kept of a long output that is taken from its beginning. */
const HEAD = 0.6
/** A cut is moved to the end of a line when one is this near, as a share of what is kept. */
const NEAR = 0.1

/** A long text without its middle; the cut is marked with how much is gone. Shorter ones come back as they are. */
export function trimMiddle(text: string, limit: number): { text: string; cutChars: number } {
  if (text.length <= limit) return { text, cutChars: 0 }
  const head = Math.ceil(limit * HEAD)
  const near = Math.floor(limit * NEAR)
  const lineEnd = text.lastIndexOf('\n', head)
  const lineStart = text.indexOf('\n', text.length - (limit - head)) + 1
  const from = whole(text, lineEnd >= head - near ? lineEnd + 1 : head)
  const to = whole(text, lineStart > 0 && lineStart <= text.length - (limit - head) + near ? lineStart : text.length - (limit - head))
  const cutChars = to - from
  return { text: `${text.slice(0, from)}\n[… ${cutChars} characters cut …]\n${text.slice(to)}`, cutChars }
}

/** Never between the halves of a surrogate pair. */
const whole = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
