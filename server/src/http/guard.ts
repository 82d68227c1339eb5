import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import { lookup } from '#contracts/lookup.ts'

const THIS_MACHINE = 'Open it as 127.0.0.1 or localhost. From another machine, use an SSH tunnel.'

/** Looks up callers; implemented by `system/sign-in`. */
export interface CallerCheck {
  /** The caller with this bearer value. Throws `unauthorized`. */
  callerOf(bearer: string): Caller
  /** Proves that this server knows the token; null if the header is no challenge. */
  proofFor(challenge: unknown, host: string | undefined): string | null
  /** False if the caller was signed out. Also records that the caller is connected. */
  isSignedIn(caller: Caller): boolean
  tickets: { redeem(ticket: string, call: string): Caller }
  onSignOut(listener: (isSignedOut: (caller: Caller) => boolean) => void): void
}

export interface Guard {
  /** Throws `foreign_host` if the Host header does not name this server, `foreign_origin` if the Origin is another site's. */
  checkSource(headers: IncomingHttpHeaders): void
  /** The caller by the Authorization header; null without the header. Throws `unauthorized` if it is wrong. */
  callerOf(headers: IncomingHttpHeaders): Caller | null
  readonly callers: CallerCheck
}

/**
 * Decides who may call. `hosts` are the exact `host:port` names of this server; any other name may be DNS rebinding.
 * Cookies are not used, because a browser sends them to every port of a host, so to every server on this machine.
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
      // Other sites' requests without an Origin (images, scripts, GET without CORS) have this header.
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

/**
 * Every name that a server on this bound address can be reached by. Not those of the other loopback address: another user's
 * program may listen there on the same port, and pass requests on.
 */
export function hostNames(address: string, port: number, others: readonly string[] = []): string[] {
  const named = [...new Set([...(LOOPBACK_NAMES[address] ?? []), bracketed(address), ...others.map(bracketed)])]
  return named.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])])
}

const LOOPBACK_NAMES: Readonly<Record<string, readonly string[]>> = lookup({
  '127.0.0.1': ['localhost'],
  '::1': ['localhost'],
  '0.0.0.0': ['127.0.0.1', 'localhost'],
  '::': ['127.0.0.1', '[::1]', 'localhost'],
})

export const bracketed = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
