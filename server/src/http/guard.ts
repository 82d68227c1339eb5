import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '#contracts/errors.ts'

const THIS_MACHINE = 'Open it as 127.0.0.1 or localhost; from another machine through an SSH tunnel.'

export interface Guard {
  /** The Host header names this server, the Origin (where there is one) is ours: throws foreign_host, foreign_origin. */
  checkSource(headers: IncomingHttpHeaders): void
  /** Bearer token or cookie fit: throws unauthorized. */
  checkToken(headers: IncomingHttpHeaders): void
  /** The `Set-Cookie` value that signs a browser in. */
  readonly cookie: string
}

/**
 * Who may call. `hosts` are the exact `host:port` names of this server: anything else is a name that was pointed at us
 * from outside (DNS rebinding). Cookies are not separated by port, so the cookie carries the port in its name and every
 * request with an Origin is checked against ours.
 */
export function createGuard({ token, port, hosts }: { token: string; port: number; hosts: readonly string[] }): Guard {
  const known = new Set(hosts.map((host) => host.toLowerCase()))
  const origins = new Set(hosts.map((host) => `http://${host.toLowerCase()}`))
  const expected = digest(token)
  const cookieName = `bashgym-${port}`
  const fits = (given: string) => timingSafeEqual(digest(given), expected)
  return {
    cookie: `${cookieName}=${token}; HttpOnly; SameSite=Strict; Path=/`,
    checkSource(headers) {
      if (headers.host === undefined || !known.has(headers.host.toLowerCase())) throw new AppError('foreign_host', { hint: THIS_MACHINE })
      const { origin } = headers
      if (origin !== undefined && !origins.has(origin.toLowerCase())) throw new AppError('foreign_origin')
      // Requests without Origin (images, scripts, GET without CORS) of other pages: browsers mark them.
      const site = headers['sec-fetch-site']
      const navigates = headers['sec-fetch-mode'] === 'navigate'
      if (!navigates && (site === 'cross-site' || site === 'same-site')) throw new AppError('foreign_origin')
    },
    checkToken(headers) {
      const bearer = /^Bearer +([\w-]+) *$/i.exec(headers.authorization ?? '')?.[1]
      if (headers.authorization !== undefined) {
        if (bearer !== undefined && fits(bearer)) return
        throw new AppError('unauthorized')
      }
      if (!cookiesNamed(headers.cookie, cookieName).some(fits)) throw new AppError('unauthorized')
    },
  }
}

/** Every name under which a server that listens on `host` and `port` is reached. */
export function hostNames(host: string, port: number, others: readonly string[] = []): string[] {
  const named = [...new Set(['127.0.0.1', 'localhost', '[::1]', bracketed(host), ...others.map(bracketed)])]
  return named.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])])
}

export const bracketed = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)

const digest = (text: string) => createHash('sha256').update(text).digest()

function cookiesNamed(header: string | undefined, name: string): string[] {
  return (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1))
}
