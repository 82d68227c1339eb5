import { timingSafeEqual } from 'node:crypto'
import type { Caller } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import { hashOf } from '#server/data-dir/secrets.ts'
import type { FileToken } from '#server/data-dir/token.ts'
import { createSignInLinks, type SignInLinks } from './links.ts'
import { createSignIns, type EndReason, type StoredSignIn } from './sign-ins.ts'
import { createTickets, type Tickets } from './tickets.ts'

/** Who may call this server: the owner of the token file, and the browsers that were signed in with it. */
export interface Access {
  /** Of a bearer value. Throws `unauthorized`, with the reason if it is known. */
  callerOf(bearer: string): Caller
  /** Notes that a caller is connected; false when it was signed out. */
  isSignedIn(caller: Caller): boolean
  links: SignInLinks
  tickets: Tickets
  /** Exchanges the secret of a link for a session key; used twice, the sign-in that it made ends. `caller`: the browser's sign-in so far. */
  signIn(secret: string, userAgent: string, caller: Caller): { key: string; signIn: StoredSignIn }
  list(): StoredSignIn[]
  revoke(id: string): void
  /** Ends every sign-in and ticket and renews the token; returns how many sign-ins ended. */
  signOutEverywhere(): number
  /** Called at a sign-out; the predicate is true for callers that are signed out. */
  onSignOut(listener: (isGone: (caller: Caller) => boolean) => void): void
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
  const listeners = new Set<(isGone: (caller: Caller) => boolean) => void>()
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
        const made = signIns.list().find((signIn) => signIn.linkHash === linkHash)
        // The same browser that goes to the same address again (its history, a restored tab) does not count as a second one.
        const isSameBrowser = made !== undefined && caller.kind === 'browser' && caller.signInId === made.id
        if (made === undefined || isSameBrowser) throw new AppError('sign_in_link_invalid')
        end((signIn) => signIn === made, 'reused')
        throw new AppError('sign_in_link_reused')
      }
      if (caller.kind === 'browser') end(({ id }) => id === caller.signInId, 'replaced')
      const made = signIns.create(linkHash, userAgent)
      options.onChange()
      return made
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
      for (const listener of listeners) listener(() => true) // callers with the old token as well
      return count
    },
    onSignOut: (listener) => void listeners.add(listener),
    close() {
      links.clear()
      signIns.close()
    },
  }
}
