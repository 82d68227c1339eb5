/**
 * An HTTP proxy outside the machine, which is the only network of a machine with a list of allowed addresses. It decides
 * by the requested name, resolves that name itself, and connects to the address that it checked.
 */
import { once } from 'node:events'
import dns from 'node:dns/promises'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import net, { type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createHttpServer, handOver } from '#server/listeners/http-server.ts'
import type { MachineTraffic, Refusal } from '../sandbox/machine.ts'
import { isLiteral, isPublic as isOnInternet } from './addresses.ts'
import { readHello } from './client-hello.ts'
import { addressOf, isSame, normalHost, type Target, targetOf } from './targets.ts'
import { countTraffic, REFUSALS } from './traffic.ts'

export interface ProxyOptions {
  allow: readonly Target[]
  /** All addresses of a name. */
  resolve?: (host: string) => Promise<string[]>
  /** Whether a name may lead to this address. */
  isPublic?: (address: string) => boolean
}

export interface Proxy {
  /** Serves a connection from the machine. */
  accept(connection: Socket): void
  traffic(): MachineTraffic
  resetTraffic(): void
  /** Ends every connection. */
  close(): void
}

/** Uploads may take as long as they like. All connections are of one machine, so they wait for no caller to be known. */
const LIMITS = { requestTimeoutMs: 0, maxWaiting: 256 }
/** Counts sockets to the machine and to the outside. */
const MAX_SOCKETS = 256
const CONNECT_MS = 15_000
const HELLO_MS = 15_000
/** Longest time without a byte in either direction. */
const IDLE_MS = 10 * 60_000
/** Headers for one connection, which are not forwarded (RFC 9110 §7.6.1), or set anew by `framingOf`. */
const HOP_BY_HOP = 'connection expect keep-alive proxy-connection proxy-authorization te trailer transfer-encoding upgrade'.split(' ')
const OURS = new Set([...HOP_BY_HOP, 'host', 'content-length'])

const resolveAll = async (host: string) => (await dns.lookup(host, { all: true })).map(({ address }) => address)

export function openProxy({ allow, resolve = resolveAll, isPublic = isOnInternet }: ProxyOptions): Proxy {
  const allowed = allow.map(({ host, port }) => ({ host: normalHost(host), port }))
  const traffic = countTraffic()
  const sockets = new Set<Socket>()
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    socket.setTimeout(IDLE_MS, () => socket.destroy())
    return socket
  }

  /** The addresses of a target. Throws `Refused` or `Unreachable`. */
  const addressesOf = async (target: Target): Promise<string[]> => {
    if (!allowed.some((one) => isSame(one, target))) throw new Refused(addressOf(target), 'not-listed')
    const resolved = await resolve(target.host).catch((error: NodeJS.ErrnoException) => {
      throw new Unreachable(`${target.host} was not found (${error.code ?? error.message}).`)
    })
    const addresses = isLiteral(target.host) ? resolved : resolved.filter(isPublic)
    if (addresses.length === 0) throw new Refused(addressOf(target), 'private-address')
    return addresses
  }
  const connect = async (target: Target): Promise<Socket> => {
    let reason = ''
    for (const host of await addressesOf(target)) {
      const socket = track(net.connect({ host, port: target.port }))
      try {
        await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) })
        socket.setTimeout(IDLE_MS)
        return socket
      } catch (error) {
        socket.destroy()
        reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message
      }
    }
    throw new Unreachable(`Couldn't reach ${addressOf(target)}: ${reason}.`)
  }
  const answerOf = (error: unknown): { status: number; text: string } => {
    if (error instanceof Refused) {
      traffic.refuse(error.address, error.reason)
      return { status: 403, text: `${error.address} ${REFUSALS[error.reason]}.\n` }
    }
    return { status: 502, text: `${(error as Error).message}\n` }
  }

  /** Connections on which a plain request was made: a tunnel there would mix with its answer. */
  const plain = new WeakSet<Duplex>()
  const server = createHttpServer(LIMITS)
  server.on('request', (request, response) => {
    plain.add(request.socket)
    forward(request, response).catch((error: unknown) => {
      request.resume()
      if (response.headersSent) response.destroy()
      else {
        const { status, text } = answerOf(error)
        response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
      }
    })
  })
  server.on('connect', (request, client, head) => {
    client.on('error', () => client.destroy())
    if (plain.has(client)) {
      traffic.refuse(request.url ?? '', 'not-http')
      client.destroy()
      return
    }
    tunnel(request, client, head).catch((error: unknown) => {
      const { status, text } = answerOf(error)
      if (client.writable)
        client.end(
          `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
        )
    })
  })
  server.on('clientError', (_, socket) => {
    traffic.refuse('(unreadable)', 'not-http')
    socket.destroy()
  })

  /** A plain HTTP request, whose first line has the complete address. */
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = request.url ?? ''
    const match = /^http:\/\/([^/?#]+)(.*)$/i.exec(url)
    const target = match && targetOf(match[1]!, 80)
    if (!target) throw new Refused(url, 'not-http')
    requireHost(request, target, 80)
    const framing = framingOf(request)
    if (framing === null) throw new Refused(addressOf(target), 'not-http')
    const socket = await connect(target)
    if (response.destroyed) return void socket.destroy()
    response.once('close', () => socket.destroy())
    traffic.pass()
    const hopByHop = new Set((request.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
    const headers = Object.fromEntries(Object.entries(request.headersDistinct).filter(([name]) => !OURS.has(name) && !hopByHop.has(name)))
    const path = match[2]!.replace(/#.*$/, '')
    const upstreamRequest = http.request({
      createConnection: () => socket,
      method: request.method,
      path: path.startsWith('/') ? path : `/${path}`,
      headers: { ...headers, ...framing, host: target.port === 80 ? target.host : addressOf(target), connection: 'close' },
    })
    const answer = await new Promise<IncomingMessage>((done, fail) => {
      upstreamRequest.once('response', done).on('error', (error) => fail(new Unreachable(`${addressOf(target)}: ${error.message}.`)))
      if (Object.keys(framing).length > 0) request.pipe(upstreamRequest)
      else upstreamRequest.end()
    })
    const headersToClient = Object.entries(answer.headersDistinct).filter(([name]) => !HOP_BY_HOP.includes(name))
    response.writeHead(answer.statusCode ?? 502, Object.fromEntries(headersToClient) as http.OutgoingHttpHeaders)
    answer.once('error', () => response.destroy())
    answer.pipe(response)
  }

  /** Forwards bytes in both directions, if they start as TLS to the requested host. */
  const tunnel = async (request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> => {
    const target = targetOf(request.url ?? '')
    if (!target) throw new Refused(request.url ?? '', 'not-http')
    requireHost(request, target)
    const server = await connect(target)
    client.once('close', () => server.destroy())
    server.once('close', () => client.destroy())
    if (client.destroyed || client.readableEnded) return void server.destroy() // the client closed the connection
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    const hello = await firstBytes(client, head)
    const clientHello = readHello(hello)
    const problem =
      clientHello === 'more' || clientHello === 'not-tls' ? 'not-tls' : isNamed(clientHello.name, target) ? null : 'other-name'
    if (problem !== null) {
      traffic.refuse(addressOf(target), problem)
      return void client.destroy()
    }
    traffic.pass()
    server.write(hello)
    client.pipe(server).pipe(client)
  }

  return {
    accept(connection) {
      if (sockets.size >= MAX_SOCKETS) connection.destroy()
      else handOver(server, track(connection))
    },
    traffic: () => traffic.counts(),
    resetTraffic: () => traffic.reset(),
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Refuses a `Host` that differs from the address in the first line, because it could reach another host on the same server. */
function requireHost(request: IncomingMessage, target: Target, port?: number): void {
  const hosts = request.headersDistinct['host'] ?? []
  const isRight = hosts.every((text) => {
    const host = targetOf(text, port ?? target.port)
    return host !== null && isSame(host, target)
  })
  if (hosts.length > 1 || !isRight) throw new Refused(addressOf(target), 'other-name')
}

/**
 * The header that delimits the body of a request, always sent: a body without one would be read as the next request, to any
 * host of that server. Empty if there is no body, null if it is delimited in another way than by one length or in chunks.
 */
function framingOf({ headersDistinct }: IncomingMessage): http.OutgoingHttpHeaders | null {
  const [length = [], encoding = []] = [headersDistinct['content-length'], headersDistinct['transfer-encoding']]
  if (length.length + encoding.length > 1) return null
  if (encoding.length > 0) return encoding[0]!.toLowerCase() === 'chunked' ? { 'transfer-encoding': 'chunked' } : null
  if (length.length > 0) return /^\d{1,15}$/.test(length[0]!) ? { 'content-length': length[0] } : null
  return {}
}

/** Whether the TLS name matches the host; clients that connect to an IP address send none. */
const isNamed = (name: string | null, { host }: Target): boolean => (name === null ? isLiteral(host) : normalHost(name) === host)

/** Reads until the first TLS message is complete, or cannot be one. */
function firstBytes(client: Duplex, head: Buffer): Promise<Buffer> {
  return new Promise((resolve) => {
    let bytes = head
    const done = () => {
      clearTimeout(timer)
      client.off('data', onData).off('close', done).off('end', done).pause()
      resolve(bytes)
    }
    const onData = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      if (readHello(bytes) !== 'more') done()
    }
    const timer = setTimeout(done, HELLO_MS)
    client.on('data', onData).once('close', done).once('end', done)
    if (readHello(bytes) !== 'more') done()
  })
}

class Refused extends Error {
  readonly address: string
  readonly reason: Refusal
  constructor(address: string, reason: Refusal) {
    super(reason)
    this.address = address
    this.reason = reason
  }
}
class Unreachable extends Error {}
