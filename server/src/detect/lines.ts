/** Start of the line of `at`, at most `most` characters back, because a line may be very long. */
export function lineStart(text: string, at: number, most: number): number {
  const from = Math.max(0, at - most)
  return from + text.slice(from, at).lastIndexOf('\n') + 1
}

/** End of the line, at most `most` characters ahead. */
export function lineEnd(text: string, at: number, most: number): number {
  const slice = text.slice(at, at + most)
  const end = slice.indexOf('\n')
  return at + (end < 0 ? slice.length : end)
}
