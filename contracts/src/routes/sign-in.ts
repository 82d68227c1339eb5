import { z } from 'zod'
import { route } from '../derive/route.ts'
import { Instant } from '../entities/common.ts'
import { Confirmation } from '../entities/confirmation.ts'
import { SignIn } from '../entities/sign-in.ts'

const group = 'sign-in'
const SignIns = z.object({ items: z.array(SignIn) })

export const createSignInLink = route({
  name: 'createSignInLink',
  group,
  method: 'post',
  path: '/api/session/link',
  summary: 'A link that signs one browser in, once, within 60 seconds',
  body: z.object({
    file: z.boolean().default(false).meta({ description: 'also write a private file that leads there, to be opened in a browser' }),
  }),
  response: z.object({
    url: z.string().meta({ description: 'holds the secret: never put it into the arguments of a process' }),
    file: z.string().nullable(),
    expiresAt: Instant,
  }),
  errors: [],
  isOwnerOnly: true,
})
export const openSession = route({
  name: 'openSession',
  group,
  method: 'post',
  path: '/api/session',
  summary: 'Exchange the secret of a sign-in link for a session key',
  body: z.object({ secret: z.string().max(200), userAgent: z.string().max(1000).default('') }),
  response: z.object({ key: z.string().meta({ description: 'for `Authorization: Bearer`' }), expiresAt: Instant }),
  errors: ['sign_in_link_invalid', 'sign_in_link_reused'],
  isPublic: true,
})
export const createTicket = route({
  name: 'createTicket',
  group,
  method: 'post',
  path: '/api/session/ticket',
  summary: 'A ticket for one call without a header, within 30 seconds: the last query parameter, `ticket`',
  body: z.object({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
    path: z.string().max(40_000).meta({ description: 'path and query of that call, exactly' }),
  }),
  response: z.object({ ticket: z.string(), expiresAt: Instant }),
  errors: [],
})
export const listSignIns = route({
  name: 'listSignIns',
  group,
  method: 'get',
  path: '/api/sign-ins',
  summary: 'Signed-in browsers and windows, the last used first',
  response: SignIns,
  errors: [],
})
export const revokeSignIn = route({
  name: 'revokeSignIn',
  group,
  method: 'delete',
  path: '/api/sign-ins/{id}',
  summary: 'Sign one browser out',
  params: z.object({ id: z.string() }),
  response: SignIns,
  errors: ['sign_in_not_found'],
})
export const signOutEverywhere = route({
  name: 'signOutEverywhere',
  group,
  method: 'post',
  path: '/api/sign-ins/sign-out-everywhere',
  summary: 'Sign every browser out and renew the token file',
  body: z.object({}),
  response: z.object({ signedOut: z.number().int() }),
  errors: [],
})
export const getConfirmation = route({
  name: 'getConfirmation',
  group,
  method: 'get',
  path: '/api/confirmations/{id}',
  summary: 'A change that waits for its confirmation',
  params: z.object({ id: z.string() }),
  response: Confirmation,
  errors: ['confirmation_not_found'],
})
export const confirmChange = route({
  name: 'confirmChange',
  group,
  method: 'post',
  path: '/api/confirmations/{id}',
  summary: 'Confirm a change that a browser asked for',
  params: z.object({ id: z.string() }),
  body: z.object({}),
  response: Confirmation,
  errors: ['confirmation_not_found'],
  isOwnerOnly: true,
})
