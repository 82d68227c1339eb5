import { hash } from 'node:crypto'
import type { Agent } from '#contracts/entities/common.ts'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const ID_LENGTH = 26

/**
 * The stable id of a session's trace: the first 26 characters of lower-case base32 (RFC 4648 alphabet) of
 * sha256(agent + NUL + sessionId). It depends on no path, time or order of import.
 */
export function traceId(agent: Agent, sessionId: string): string {
  return base32(hash('sha256', `${agent}\0${sessionId}`, 'buffer')).slice(0, ID_LENGTH)
}

/** Eight hex characters that distinguish files of one session: the start of the sha256 of the path. */
export const pathTag = (path: string): string => hash('sha256', path).slice(0, 8)

function base32(bytes: Buffer): string {
  let text = ''
  let value = 0
  let bits = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET[(value >>> bits) & 31]
    }
  }
  return bits > 0 ? text + ALPHABET[(value << (5 - bits)) & 31] : text
}
