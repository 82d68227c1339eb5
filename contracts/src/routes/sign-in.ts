import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Instant } from '../entities/common.ts'
import { Confirmation } from '../entities/confirmation.ts'
import { SignIn } from '../entities/sign-in.ts'
import { notAPlace } from '../places.ts'

const route = routesOf('sign-in')
const SignIns = z.object({ items: z.array(SignIn) })

export const createSignInLink = route.post('createSignInLink', '/api/session/link', {
  summary: 'A link that signs one browser in, once, within 60 seconds',
  body: z.object({
    file: z.boolean().default(false).meta({ description: 'also write a private file that opens the link in a browser' }),
  }),
  response: z.object({
    url: z.string().meta({ description: 'contains the secret; never pass it as an argument of a process' }),
    file: z.string().nullable(),
    expiresAt: Instant,
  }),
  isOwnerOnly: true,
})
export const openSession = route.post('openSession', '/api/session', {
  summary: 'Exchange the secret of a sign-in link for a session key',
  body: z.object({ secret: z.string().max(200), userAgent: z.string().max(1000).default('') }),
  response: z.object({ key: z.string().meta({ description: 'for `Authorization: Bearer`' }), expiresAt: Instant }),
  errors: ['sign_in_link_invalid', 'sign_in_link_reused'],
  isPublic: true,
})
export const createTicket = route.post('createTicket', '/api/session/ticket', {
  summary: 'A ticket for one call without a header, within 30 seconds; append it as the last query parameter, `ticket`',
  body: z.object({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
    path: notAPlace(z.string().max(40_000), 'the path of a call').meta({ description: 'exact path and query of the call' }),
  }),
  response: z.object({ ticket: z.string(), expiresAt: Instant }),
})
export const listSignIns = route.get('listSignIns', '/api/sign-ins', {
  summary: 'Signed-in browsers and windows, latest used first',
  response: SignIns,
})
export const revokeSignIn = route.delete('revokeSignIn', '/api/sign-ins/{id}', {
  summary: 'Sign one browser out',
  params: z.object({ id: z.string() }),
  response: SignIns,
  errors: ['sign_in_not_found'],
})
export const signOutEverywhere = route.post('signOutEverywhere', '/api/sign-ins/sign-out-everywhere', {
  summary: 'Sign every browser out and renew the token file',
  body: z.object({}),
  response: z.object({ signedOut: z.number().int() }),
})
export const getConfirmation = route.get('getConfirmation', '/api/confirmations/{id}', {
  summary: 'A change that waits for confirmation',
  params: z.object({ id: z.string() }),
  response: Confirmation,
  errors: ['confirmation_not_found'],
})
export const confirmChange = route.post('confirmChange', '/api/confirmations/{id}', {
  summary: 'Confirm a change that a browser requested',
  params: z.object({ id: z.string() }),
  body: z.object({}),
  response: Confirmation,
  errors: ['confirmation_not_found'],
  isOwnerOnly: true,
})
