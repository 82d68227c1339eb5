import type { RunLogLine } from '#contracts/entities/run.ts'

/** Number of lines shown. */
export const MAX_LINES = 2000
/** Only this many last characters of an unfinished line are kept. */
const MAX_LINE_CHARS = 100_000

/** Appends new lines, continues their numbers, and keeps the newest lines. */
export function withLines(lines: readonly RunLogLine[], newLines: readonly Omit<RunLogLine, 'n'>[]): readonly RunLogLine[] {
  const lastNumber = lines.at(-1)?.n ?? 0
  return [...lines, ...newLines.map((line, index) => ({ ...line, n: lastNumber + 1 + index }))].slice(-MAX_LINES)
}

/** Whether the server's search would find a line; like the server, it ignores case only for the letters A to Z. */
export function matches(text: string, q: string): boolean {
  const lowerCase = (from: string) => from.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  return lowerCase(text).includes(lowerCase(q))
}

/** Splits bytes into lines; an unfinished last line is kept for the next call. */
export function createLineReader(): (bytes: Uint8Array) => string[] {
  const decoder = new TextDecoder()
  let partialLine = ''
  return (bytes) => {
    const lines = (partialLine + decoder.decode(bytes, { stream: true })).split('\n')
    partialLine = (lines.pop() ?? '').slice(-MAX_LINE_CHARS)
    return lines
  }
}
