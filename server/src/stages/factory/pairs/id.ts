import { hash } from 'node:crypto'

/** Stable id of a pair, from its source and its two sides. */
export const pairId = (source: string, chosen: string, rejected: string): string =>
  `pr_${hash('sha256', [source, chosen, rejected].join('\0')).slice(0, 24)}`
