import { hash, randomBytes } from 'node:crypto'

/** `k` a session key, `l` the secret of a sign-in link, `t` a ticket: so that a log can leave them out by their form. */
type Kind = 'k' | 'l' | 't'

const FORM = /\bbg[klt]_[\w-]{43}/g

export const newSecret = (kind: Kind): string => `bg${kind}_${randomBytes(32).toString('base64url')}`

/** What is stored and looked up instead of a secret of 256 random bits: no salt, nothing to guess. */
export const hashOf = (secret: string): string => hash('sha256', secret, 'base64url')

export const withoutSecrets = (text: string): string => text.replaceAll(FORM, '[secret]')
