import { hash, randomBytes } from 'node:crypto'

/** `k` for a session key, `l` for the secret of a sign-in link, `t` for a ticket. The prefix lets logs remove secrets. */
type Kind = 'k' | 'l' | 't'

const SECRET = /\bbg[klt]_[\w-]{43}/g

export const newSecret = (kind: Kind): string => `bg${kind}_${randomBytes(32).toString('base64url')}`

/** Stored and looked up instead of a secret. It needs no salt, because secrets are 256 random bits. */
export const hashOf = (secret: string): string => hash('sha256', secret, 'base64url')

export const withoutSecrets = (text: string): string => text.replaceAll(SECRET, '[secret]')
