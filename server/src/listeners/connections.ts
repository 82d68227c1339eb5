import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Limits } from './limits.ts'

const identifiers = new WeakMap<Socket, (caller: string) => void>()

/** Must be called when the caller of a connection is known; the connection then counts for this caller until it is closed. */
export const identify = (socket: Socket, caller: string): void => identifiers.get(socket)?.(caller)

/**
 * Limits the connections whose caller is not known, because any program on this machine can connect without a token,
 * send nothing, and so use up all connections: above `maxWaiting` the longest waiting one of the address with most of them
 * is closed. A known caller is limited by itself, so that it cannot use up the connections of others either.
 */
export function limitConnections(server: Server, { maxWaiting, maxPerCaller }: Pick<Limits, 'maxWaiting' | 'maxPerCaller'>): void {
  const waiting = new Set<Socket>() // in order of arrival
  const known = new Map<string, Set<Socket>>()
  const callers = new WeakMap<Socket, string>()
  /** Requests in progress; a socket after its upgrade stays in use. */
  const inUse = new WeakMap<Socket, number>()

  const wait = (socket: Socket) => {
    if (socket.destroyed || callers.has(socket)) return
    waiting.delete(socket)
    waiting.add(socket)
    if (waiting.size > maxWaiting) longestOf(busiestAddress(waiting), waiting)?.destroy()
  }
  const identifySocket = (socket: Socket, caller: string) => {
    if (socket.destroyed || callers.has(socket)) return
    waiting.delete(socket)
    callers.set(socket, caller)
    const own = known.get(caller) ?? new Set()
    known.set(caller, own.add(socket))
    if (own.size <= maxPerCaller) return
    const idle = [...own].find((one) => one !== socket && !inUse.get(one))
    ;(idle ?? socket).destroy()
  }
  const forget = (socket: Socket) => {
    waiting.delete(socket)
    const caller = callers.get(socket)
    const own = caller === undefined ? undefined : known.get(caller)
    own?.delete(socket)
    if (own?.size === 0) known.delete(caller!)
  }
  const use = (socket: Socket, change: 1 | -1) => inUse.set(socket, (inUse.get(socket) ?? 0) + change)

  server.on('connection', (socket: Socket) => {
    identifiers.set(socket, (caller) => identifySocket(socket, caller))
    socket.once('close', () => forget(socket))
    wait(socket)
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    use(socket, 1)
    response.once('close', () => {
      use(socket, -1)
      wait(socket)
    })
  })
  beforeOthers(server, 'upgrade', ({ socket }: IncomingMessage) => {
    use(socket, 1)
    waiting.delete(socket) // from now on the protocol limits it
  })
}

/** Listens before others, if there are any: with a listener of ours alone Node would leave such a request to it, unanswered. */
function beforeOthers(server: Server, event: 'upgrade', listener: (request: IncomingMessage) => void): void {
  const onNew = (added: string | symbol) => {
    if (added !== event) return
    server.off('newListener', onNew)
    server.prependListener(event, listener)
  }
  server.on('newListener', onNew)
}

function busiestAddress(sockets: Iterable<Socket>): string | undefined {
  const counts = new Map<string | undefined, number>()
  for (const { remoteAddress } of sockets) counts.set(remoteAddress, (counts.get(remoteAddress) ?? 0) + 1)
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0]
}

function longestOf(address: string | undefined, sockets: Iterable<Socket>): Socket | undefined {
  for (const socket of sockets) if (socket.remoteAddress === address) return socket
  return undefined
}
