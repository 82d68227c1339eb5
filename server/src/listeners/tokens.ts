/** Tokens of listeners: how callers send them, and how a server proves that it knows one before a caller sends it. */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Headers of the proof, on the address that tells whether a server is healthy. */
export const CHALLENGE = 'bashgym-challenge'
export const PROOF = 'bashgym-proof'

/** A new token: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Long enough that a random one cannot be guessed from a proof. */
export const TOKEN = /^[\w.-]{32,200}$/

/** The token of an Authorization header: `Bearer TOKEN`, or `Basic`, which clients make of `http://any:TOKEN@host`; null if there is none. */
export function tokenOf(authorization: string | undefined): string | null {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) +(\S+) *$/i.exec(authorization ?? '') ?? []
  if (scheme === '') return null
  if (scheme.toLowerCase() === 'bearer') return value
  const pair = Buffer.from(value, 'base64').toString()
  const colon = pair.indexOf(':')
  return colon === -1 ? null : pair.slice(colon + 1)
}

/** In constant time. */
export const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hash('sha256', one, 'hex')), Buffer.from(hash('sha256', other, 'hex')))

export const newChallenge = (): string => randomBytes(32).toString('base64url')

/**
 * Proves knowledge of the token. `host` is the `Host` header: it names this server, so that another program cannot pass the
 * challenge on to it and present its proof. Null if the header is no challenge.
 */
export function proofOf(token: string, { challenge, host }: { challenge: unknown; host: string | undefined }): string | null {
  if (typeof challenge !== 'string' || !/^[\w-]{43}$/.test(challenge)) return null
  return createHmac('sha256', token).update(`bashgym proof 1\n${host?.toLowerCase()}\n${challenge}`).digest('base64url')
}
