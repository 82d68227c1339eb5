const LONGEST_EXCERPT = 300

/** The most characters that an excerpt is made from. */
export const LONGEST_PART = LONGEST_EXCERPT * 10

export const excerptOf = (text: string): string => (text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT - 1)}…` : text)

/** A shorter part says nothing by itself. */
const TELLING = 12

/** The part of a command that decided; with the rest of its line where it is short, such as the `sh` of a download to a shell. */
export function partOf(command: string, span: { start: number; end: number } | null): string {
  const { start, end } = span ?? { start: 0, end: command.length }
  if (end - start >= TELLING) return command.slice(start, end).slice(0, LONGEST_PART)
  const from = Math.max(command.lastIndexOf('\n', start - 1) + 1, start - LONGEST_EXCERPT / 2)
  const newline = command.indexOf('\n', end)
  return command.slice(from, Math.min(newline < 0 ? command.length : newline, end + LONGEST_EXCERPT / 2)).trim()
}
