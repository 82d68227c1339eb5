import type { RunLogLine } from '#contracts/entities/run.ts'

/** Lines of a log page: those that the server answered, then those that came. None twice, none out of order. */
export function withLines(known: readonly RunLogLine[], more: readonly RunLogLine[]): readonly RunLogLine[] {
  const last = known.at(-1)?.n ?? -1
  const next = more.filter(({ n }) => n > last)
  return next.length === 0 ? known : [...known, ...next]
}

/** Whether lines are missing between those that are known and those that came. */
export const hasHole = (known: readonly RunLogLine[], more: readonly RunLogLine[]): boolean =>
  known.length > 0 && more.length > 0 && more[0]!.n > known.at(-1)!.n + 1
