import { createHash } from 'node:crypto'

/** Stable name of a pair: of what kind it is and which two sides it has. */
export const pairId = (source: string, chosen: string, rejected: string): string =>
  `pr_${createHash('sha256').update([source, chosen, rejected].join('\0')).digest('hex').slice(0, 24)}`
