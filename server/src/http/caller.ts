import type { Request, RequestHandler, Response } from 'express'
import type { Caller, Implementation } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import type { Guard } from './guard.ts'
import { identify } from '#server/listeners/connections.ts'

const callers = new WeakMap<Response, Caller>()

/** The caller of this request; everything under /api has passed `identifyCaller`. */
export const callerOf = (response: Response): Caller => callers.get(response) ?? { kind: 'anyone' }

/** For /api: identifies the caller. Throws `unauthorized` if it is unknown and the route is not public. */
export function identifyCaller(guard: Guard, implementations: readonly Implementation[]): RequestHandler {
  const open = new Set(implementations.filter(({ route }) => route.isPublic).map(({ route }) => route.path))
  return (request, response, next) => {
    const isOpen = open.has(request.baseUrl + request.path)
    const caller = isOpen ? optionalCaller(guard, request) : requiredCaller(guard, request)
    callers.set(response, caller)
    if (caller.kind !== 'anyone') identify(request.socket, caller.kind === 'browser' ? caller.signInId : caller.kind)
    next()
  }
}

/** An expired key must not prevent a browser from signing in again. */
function optionalCaller(guard: Guard, request: Request): Caller {
  try {
    return guard.callerOf(request.headers) ?? { kind: 'anyone' }
  } catch {
    return { kind: 'anyone' }
  }
}

function requiredCaller(guard: Guard, request: Request): Caller {
  const byHeader = guard.callerOf(request.headers)
  if (byHeader) return byHeader
  const ticket = /[?&]ticket=([\w-]+)$/.exec(request.url)
  if (!ticket?.[1]) throw new AppError('unauthorized')
  request.url = request.url.slice(0, ticket.index) // routes refuse unknown query parameters
  return guard.callers.tickets.redeem(ticket[1], `${request.method} ${request.baseUrl}${request.url}`)
}
