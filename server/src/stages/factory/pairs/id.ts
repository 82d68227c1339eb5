import { hash } from 'node:crypto'

/** Stable name of a pair: of what kind it is and which two sides it has. */
export const pairId = (source: string, chosen: string, rejected: string): string =>
  `pr_${hash('sha256', [source, chosen, rejected].join('\0')).slice(0, 24)}`
