import type { z } from 'zod'
import type { PatchHunk } from '#contracts/entities/step.ts'

export type Hunk = z.infer<typeof PatchHunk>

const NO_NEWLINE = '\\'

/** The text after these hunks; null if a hunk fits nowhere, or in more than one place but not in its own. */
export function applyHunks(text: string, hunks: readonly Hunk[]): string | null {
  const lines = text === '' ? [] : text.split('\n')
  let moved = 0
  let endsOpen = false
  for (const { oldStart, lines: changed } of hunks) {
    const of = (signs: string) =>
      changed.filter((line) => signs.includes(line[0] ?? ' ') && line[0] !== NO_NEWLINE).map((line) => line.slice(1))
    const [before, after] = [of(' -'), of(' +')]
    const at = placeOf(lines, before, Math.max(0, oldStart - (before.length === 0 ? 0 : 1)) + moved)
    if (at === null) return null
    lines.splice(at, before.length, ...after)
    moved += after.length - before.length
    endsOpen = changed.at(-1)?.[0] === NO_NEWLINE && changed.at(-2)?.[0] !== '-'
  }
  if (text === '' && lines.length > 0 && !endsOpen) lines.push('')
  return lines.join('\n')
}

function placeOf(lines: readonly string[], wanted: readonly string[], expected: number): number | null {
  const fits = (at: number) => at + wanted.length <= lines.length && wanted.every((line, index) => lines[at + index] === line)
  if (wanted.length === 0) return lines.length === 0 ? 0 : expected <= lines.length ? expected : null
  if (fits(expected)) return expected
  const places = lines.flatMap((_, at) => (fits(at) ? [at] : []))
  return places.length === 1 ? places[0]! : null
}
