/** Who may call the listeners for other people's programs: the sandbox service and servers of environments. */
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CHALLENGE, isSame, PROOF, proofOf, tokenOf } from '#server/listeners/tokens.ts'
import { identify } from '#server/listeners/connections.ts'
import { hostNames } from './guard.ts'

export interface ServiceGuard {
  /** Null if the request is allowed. */
  refusalOf(request: IncomingMessage): { status: 401 | 403; message: string } | null
  /** Headers for the answer to a health check, which needs no token. */
  proofFor(request: IncomingMessage): { [PROOF]?: string }
}

const HEALTH = '/health'

/** `host`: the name that was listened on; `bound`: the address that this became. */
export function createServiceGuard({ host, bound, token }: { host: string; bound: AddressInfo; token: string }): ServiceGuard {
  const hosts = new Set(hostNames(bound.address, bound.port, [host]).map((name) => name.toLowerCase()))
  return {
    refusalOf({ headers, socket, url }) {
      if (!hosts.has((headers.host ?? '').toLowerCase())) return { status: 403, message: 'The Host header does not name this server.' }
      if (headers.origin !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none')
        return { status: 403, message: 'Requests from web pages are refused.' }
      if (url === HEALTH) return null
      const given = tokenOf(headers.authorization)
      if (given === null || !isSame(given, token))
        return {
          status: 401,
          message: 'This server needs the token in the file that it printed at its start: Authorization: Bearer TOKEN.',
        }
      identify(socket, 'token')
      return null
    },
    proofFor({ headers }) {
      const proof = proofOf(token, { challenge: headers[CHALLENGE], host: headers.host })
      return proof === null ? {} : { [PROOF]: proof }
    },
  }
}
