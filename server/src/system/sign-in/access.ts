import { timingSafeEqual } from 'node:crypto'
import type { Caller } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import { hashOf } from '#server/data-dir/secrets.ts'
import type { FileToken } from '#server/data-dir/token.ts'
import { proofOf } from '#server/listeners/tokens.ts'
import { createSignInLinks, type SignInLinks } from './links.ts'
import { createSignIns, type EndReason, type StoredSignIn } from './sign-ins.ts'
import { createTickets, type Tickets } from './tickets.ts'

/** Knows who may call this server: the owner of the token file, and browsers that the owner signed in. */
export interface Access {
  /** The caller with this bearer value. Throws `unauthorized`, with the reason if it is known. */
  callerOf(bearer: string): Caller
  /** Proves to a caller that this server knows the token, before the caller sends it; null if the header is no challenge. */
  proofFor(challenge: unknown, host: string | undefined): string | null
  /** False if the caller was signed out. Also records that the caller is connected. */
  isSignedIn(caller: Caller): boolean
  links: SignInLinks
  tickets: Tickets
  /** Exchanges the secret of a link for a session key. Using a link twice ends its sign-in. `caller` is the browser's current sign-in. */
  signIn(secret: string, userAgent: string, caller: Caller): { key: string; signIn: StoredSignIn }
  list(): StoredSignIn[]
  revoke(id: string): void
  /** Ends every sign-in and ticket and renews the token; returns how many sign-ins ended. */
  signOutEverywhere(): number
  /** Calls the listener at each sign-out; `isSignedOut` is true for the callers that were signed out. */
  onSignOut(listener: (isSignedOut: (caller: Caller) => boolean) => void): void
  close(): void
}

const ENDED: Record<EndReason, string> = {
  expired: 'This browser was signed out because it was not used for 14 days, or signed in more than 90 days ago. Run `bashgym open`.',
  revoked: 'This browser was signed out in Settings. Run `bashgym open` to sign in again.',
  everywhere: 'Every browser was signed out. Run `bashgym open` to sign in again.',
  reused:
    'The link that signed this browser in was used a second time, so both browsers are signed out. If that was not you, run `bashgym sign-out`, then `bashgym open`.',
  replaced: 'This browser was signed in again. Reload the page.',
}

export function createAccess(options: {
  token: FileToken
  file: string
  linkDir: string
  now: () => number
  /** Called when the list of sign-ins changed. */
  onChange: () => void
  onUnwritten: (error: unknown) => void
}): Access {
  const { token } = options
  const links = createSignInLinks(options.linkDir)
  const tickets = createTickets()
  const signIns = createSignIns(options.file, options)
  const listeners = new Set<(isSignedOut: (caller: Caller) => boolean) => void>()
  const isToken = (bearer: string) => timingSafeEqual(Buffer.from(hashOf(bearer)), Buffer.from(hashOf(token.value)))

  const end = (fits: (signIn: StoredSignIn) => boolean, reason: EndReason) => {
    const ids = new Set(signIns.end(fits, reason))
    if (ids.size === 0) return 0
    for (const listener of listeners) listener((caller) => caller.kind === 'browser' && ids.has(caller.signInId))
    options.onChange()
    return ids.size
  }

  return {
    callerOf(bearer) {
      if (isToken(bearer)) return { kind: 'owner' }
      const found = signIns.use(bearer)
      if ('ended' in found) throw new AppError('unauthorized', found.ended === null ? {} : { message: ENDED[found.ended] })
      return { kind: 'browser', signInId: found.id }
    },
    proofFor: (challenge, host) => proofOf(token.value, { challenge, host }),
    isSignedIn: (caller) => caller.kind === 'owner' || (caller.kind === 'browser' && signIns.touch(caller.signInId)),
    links,
    tickets: {
      ...tickets,
      redeem(ticket, call) {
        const caller = tickets.redeem(ticket, call)
        if (caller.kind === 'browser' && !signIns.touch(caller.signInId)) throw new AppError('unauthorized')
        return caller
      },
    },
    signIn(secret, userAgent, caller) {
      const linkHash = hashOf(secret)
      if (!links.redeem(secret)) {
        const previous = signIns.list().find((signIn) => signIn.linkHash === linkHash)
        // The same browser may open the link again, from its history or a restored tab.
        const isSameBrowser = previous !== undefined && caller.kind === 'browser' && caller.signInId === previous.id
        if (previous === undefined || isSameBrowser) throw new AppError('sign_in_link_invalid')
        end((signIn) => signIn === previous, 'reused')
        throw new AppError('sign_in_link_reused')
      }
      if (caller.kind === 'browser') end(({ id }) => id === caller.signInId, 'replaced')
      const created = signIns.create(linkHash, userAgent)
      options.onChange()
      return created
    },
    list: () => signIns.list(),
    revoke(id) {
      if (end((signIn) => signIn.id === id, 'revoked') === 0) throw new AppError('sign_in_not_found')
    },
    signOutEverywhere() {
      token.renew()
      links.clear()
      tickets.clear()
      const count = end(() => true, 'everywhere')
      for (const listener of listeners) listener(() => true) // including callers with the old token
      return count
    },
    onSignOut: (listener) => void listeners.add(listener),
    close() {
      links.clear()
      signIns.close()
    },
  }
}
