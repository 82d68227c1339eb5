import { hash } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const LENGTH = 26

/** Stable id of an example: base32 of sha256 of its trace and first step, plus "part" for later parts of a split segment. */
export function exampleId(traceId: string, firstStepId: string, part: number): string {
  const digest = hash('sha256', [traceId, firstStepId, ...(part > 1 ? ['part'] : [])].join('\0'), 'buffer')
  return Array.from({ length: LENGTH }, (_, index) => ALPHABET[fiveBits(digest, index * 5)]).join('')
}

const fiveBits = (bytes: Buffer, at: number): number => {
  const two = (bytes[at >> 3]! << 8) | (bytes[(at >> 3) + 1] ?? 0)
  return (two >> (11 - (at & 7))) & 31
}
