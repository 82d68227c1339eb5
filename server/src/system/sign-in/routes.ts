import { implement, type Caller, type Implementation } from '#contracts/derive/route.ts'
import type { SignIn } from '#contracts/entities/sign-in.ts'
import { AppError } from '#contracts/errors.ts'
import * as routes from '#contracts/routes/sign-in.ts'
import type { Access } from './access.ts'
import { expiryOf } from './sign-ins.ts'

/** `url` returns the address of the server, or null if the app runs inside a command. */
export function signInRoutes(access: Access, { url, now }: { url: () => string | null; now: () => number }): Implementation[] {
  const instant = (at: number) => new Date(at).toISOString()
  const listFor = (caller: Caller): { items: SignIn[] } => ({
    items: access.list().map((signIn) => ({
      id: signIn.id,
      createdAt: instant(signIn.createdAt),
      lastUsedAt: instant(signIn.lastUsedAt),
      expiresAt: instant(expiryOf(signIn)),
      userAgent: signIn.userAgent,
      isCurrent: caller.kind === 'browser' && caller.signInId === signIn.id,
    })),
  })
  return [
    implement(routes.createSignInLink, ({ body }) => {
      const origin = url()
      if (origin === null) throw new AppError('not_found', { message: 'No server is running, so there is nothing to sign in to.' })
      const { secret, file, expiresInMs } = access.links.create(body.file ? origin : null)
      return { url: `${origin}/#secret=${secret}`, file, expiresAt: instant(now() + expiresInMs) }
    }),
    implement(routes.openSession, ({ body, caller }) => {
      const { key, signIn } = access.signIn(body.secret, body.userAgent, caller)
      return { key, expiresAt: instant(expiryOf(signIn)) }
    }),
    implement(routes.createTicket, ({ body: { method, path }, caller }) => {
      const { ticket, expiresInMs } = access.tickets.create(caller, `${method} ${path}`)
      return { ticket, expiresAt: instant(now() + expiresInMs) }
    }),
    implement(routes.listSignIns, ({ caller }) => listFor(caller)),
    implement(routes.revokeSignIn, ({ params, caller }) => {
      access.revoke(params.id)
      return listFor(caller)
    }),
    implement(routes.signOutEverywhere, () => ({ signedOut: access.signOutEverywhere() })),
  ]
}
