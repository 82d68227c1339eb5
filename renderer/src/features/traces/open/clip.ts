/** Lines of an output that a card shows before "show all". */
export const CLIP_LINES = 40
/** A clipped output shows its head and more of its tail, because results come last. */
const HEAD_LINES = 12
/** One endless line (minified code, base64) is clipped as well. */
const CLIP_CHARS = 8000

export type Clipped =
  | { kind: 'whole'; text: string }
  | { kind: 'lines'; head: string; hidden: number; tail: string }
  | { kind: 'chars'; head: string; hidden: number; tail: string }

export function clipOutput(text: string): Clipped {
  const trimmed = text.replace(/\n+$/, '')
  const lines = trimmed.split('\n')
  if (lines.length > CLIP_LINES) {
    const tail = CLIP_LINES - HEAD_LINES
    return clipEnds({
      kind: 'lines',
      head: lines.slice(0, HEAD_LINES).join('\n'),
      hidden: lines.length - CLIP_LINES,
      tail: lines.slice(-tail).join('\n'),
    })
  }
  if (trimmed.length > CLIP_CHARS) {
    return {
      kind: 'chars',
      head: trimmed.slice(0, CLIP_CHARS / 2),
      hidden: trimmed.length - CLIP_CHARS,
      tail: trimmed.slice(-CLIP_CHARS / 2),
    }
  }
  return { kind: 'whole', text: trimmed }
}

const clipEnds = (clipped: Extract<Clipped, { kind: 'lines' }>): Clipped => ({
  ...clipped,
  head: clipped.head.slice(0, CLIP_CHARS / 2),
  tail: clipped.tail.slice(-CLIP_CHARS / 2),
})

/** A path relative to the session's folder, if it is inside it. */
export function shortPath(path: string, cwd: string | null): string {
  if (cwd === null || cwd === '' || !path.startsWith(`${cwd}/`)) return path
  return path.slice(cwd.length + 1)
}
