import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'

const THIS_MACHINE = 'Open it as 127.0.0.1 or localhost; from another machine through an SSH tunnel.'

/** Who has signed in; `system/sign-in` decides. */
export interface CallerCheck {
  /** Of a bearer value; throws `unauthorized`. */
  callerOf(bearer: string): Caller
  /** Notes that a caller is connected; false when it was signed out. */
  isSignedIn(caller: Caller): boolean
  tickets: { redeem(ticket: string, call: string): Caller }
  onSignOut(listener: (isGone: (caller: Caller) => boolean) => void): void
}

export interface Guard {
  /** The Host header names this server, the Origin (if there is one) is ours: throws foreign_host, foreign_origin. */
  checkSource(headers: IncomingHttpHeaders): void
  /** By the Authorization header; null without one. Throws `unauthorized` when it is wrong. */
  callerOf(headers: IncomingHttpHeaders): Caller | null
  readonly callers: CallerCheck
}

/**
 * Who may call. `hosts` are the exact `host:port` names of this server: anything else is a name that was pointed at us
 * from outside (DNS rebinding). No cookie is set or read: a browser sends those to every port of a host, so every other
 * server on this machine would get them.
 */
export function createGuard({ callers, hosts }: { callers: CallerCheck; hosts: readonly string[] }): Guard {
  const known = new Set(hosts.map((host) => host.toLowerCase()))
  const origins = new Set(hosts.map((host) => `http://${host.toLowerCase()}`))
  return {
    callers,
    checkSource(headers) {
      if (headers.host === undefined || !known.has(headers.host.toLowerCase())) throw new AppError('foreign_host', { hint: THIS_MACHINE })
      const { origin } = headers
      if (origin !== undefined && !origins.has(origin.toLowerCase())) throw new AppError('foreign_origin')
      // Requests without Origin (images, scripts, GET without CORS) of other pages: browsers mark them.
      const site = headers['sec-fetch-site']
      const navigates = headers['sec-fetch-mode'] === 'navigate'
      if (!navigates && (site === 'cross-site' || site === 'same-site')) throw new AppError('foreign_origin')
    },
    callerOf({ authorization }) {
      if (authorization === undefined) return null
      const bearer = /^Bearer +([\w-]{1,200}) *$/i.exec(authorization)?.[1]
      if (bearer === undefined) throw new AppError('unauthorized')
      return callers.callerOf(bearer)
    },
  }
}

/** Every name under which a server that listens on `host` and `port` is reached. */
export function hostNames(host: string, port: number, others: readonly string[] = []): string[] {
  const named = [...new Set(['127.0.0.1', 'localhost', '[::1]', bracketed(host), ...others.map(bracketed)])]
  return named.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])])
}

export const bracketed = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
