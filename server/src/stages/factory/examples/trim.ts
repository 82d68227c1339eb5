/** The share of the kept text that comes from the beginning. */
const HEAD_SHARE = 0.6
/** A cut moves to a line end within this distance, as a share of the kept text. */
const LINE_TOLERANCE = 0.1

/** Cuts the middle out of a text longer than the limit, and marks the cut with its length. */
export function trimMiddle(text: string, limit: number): { text: string; cutChars: number } {
  if (text.length <= limit) return { text, cutChars: 0 }
  const head = Math.ceil(limit * HEAD_SHARE)
  const tolerance = Math.floor(limit * LINE_TOLERANCE)
  const lineEnd = text.lastIndexOf('\n', head)
  const lineStart = text.indexOf('\n', text.length - (limit - head)) + 1
  const from = characterStart(text, lineEnd >= head - tolerance ? lineEnd + 1 : head)
  const to = characterStart(
    text,
    lineStart > 0 && lineStart <= text.length - (limit - head) + tolerance ? lineStart : text.length - (limit - head),
  )
  const cutChars = to - from
  return { text: `${text.slice(0, from)}\n[… ${cutChars} characters cut …]\n${text.slice(to)}`, cutChars }
}

/** Moves a position between the halves of a surrogate pair before it. */
const characterStart = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
