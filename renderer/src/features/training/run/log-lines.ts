import type { RunLogLine } from '#contracts/entities/run.ts'

/** Lines shown at a time, the newest. */
export const NEWEST = 2000
/** A line that does not end is kept up to this many characters. */
const LONGEST = 100_000

/** Lines that are known, then those that came, numbered on. */
export function withLines(known: readonly RunLogLine[], more: readonly Omit<RunLogLine, 'n'>[]): readonly RunLogLine[] {
  const last = known.at(-1)?.n ?? 0
  return [...known, ...more.map((line, index) => ({ ...line, n: last + 1 + index }))].slice(-NEWEST)
}

/** Whether the server's search would find a line: any case, of plain letters. */
export function matches(text: string, q: string): boolean {
  const plain = (from: string) => from.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  return plain(text).includes(plain(q))
}

/** Cuts bytes into lines; a last line without its end waits for the rest. */
export function createLineReader(): (bytes: Uint8Array) => string[] {
  const decoder = new TextDecoder()
  let rest = ''
  return (bytes) => {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = (lines.pop() ?? '').slice(-LONGEST)
    return lines
  }
}
