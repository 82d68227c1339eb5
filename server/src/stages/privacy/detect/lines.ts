/** Where the line of `at` begins, `most` characters back at the furthest: lines may be as long as the text. */
export function lineStart(text: string, at: number, most: number): number {
  const from = Math.max(0, at - most)
  return from + text.slice(from, at).lastIndexOf('\n') + 1
}

/** Where it ends, `most` characters on at the furthest. */
export function lineEnd(text: string, at: number, most: number): number {
  const slice = text.slice(at, at + most)
  const end = slice.indexOf('\n')
  return at + (end < 0 ? slice.length : end)
}
