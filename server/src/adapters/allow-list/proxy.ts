/**
 * The only way out of a machine whose network is a list of addresses: an HTTP proxy on our side. It decides by the name
 * that was asked for, resolves that name itself, and connects to the address it has looked at.
 */
import { once } from 'node:events'
import dns from 'node:dns/promises'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import net, { type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { MachineTraffic, Refusal } from '../sandbox/machine.ts'
import { isLiteral, isPublic as isOnInternet } from './addresses.ts'
import { readHello } from './client-hello.ts'
import { addressOf, isSame, normal, type Target, targetOf } from './targets.ts'
import { countTraffic, REFUSALS } from './traffic.ts'

export interface ProxyOptions {
  allow: readonly Target[]
  /** All addresses of a name. */
  resolve?: (host: string) => Promise<string[]>
  /** Whether a name may lead to this address. */
  isPublic?: (address: string) => boolean
}

export interface Proxy {
  /** Serves a connection that comes from inside. */
  take(connection: Socket): void
  traffic(): MachineTraffic
  resetTraffic(): void
  /** Ends every connection. */
  close(): void
}

/** On both sides together. */
const MAX_SOCKETS = 256
const CONNECT_MS = 15_000
const HELLO_MS = 15_000
/** Without a byte either way. */
const IDLE_MS = 10 * 60_000
/** Between the two ends of a connection, not of what it carries (RFC 9110 §7.6.1). */
const HOP_BY_HOP = 'connection expect keep-alive proxy-connection proxy-authorization te trailer transfer-encoding upgrade'.split(' ')

const resolveAll = async (host: string) => (await dns.lookup(host, { all: true })).map(({ address }) => address)

export function openProxy({ allow, resolve = resolveAll, isPublic = isOnInternet }: ProxyOptions): Proxy {
  const listed = allow.map(({ host, port }) => ({ host: normal(host), port }))
  const traffic = countTraffic()
  const open = new Set<Socket>()
  const keep = (socket: Socket): Socket => {
    open.add(socket)
    socket.once('close', () => open.delete(socket)).on('error', () => socket.destroy())
    socket.setTimeout(IDLE_MS, () => socket.destroy())
    return socket
  }

  /** Where to connect to. Throws `Refused`, or `Unreachable`. */
  const addressesOf = async (target: Target): Promise<string[]> => {
    if (!listed.some((one) => isSame(one, target))) throw new Refused(addressOf(target), 'not-listed')
    const all = await resolve(target.host).catch((error: NodeJS.ErrnoException) => {
      throw new Unreachable(`${target.host} was not found (${error.code ?? error.message}).`)
    })
    const addresses = isLiteral(target.host) ? all : all.filter(isPublic)
    if (addresses.length === 0) throw new Refused(addressOf(target), 'private-address')
    return addresses
  }
  const connect = async (target: Target): Promise<Socket> => {
    let why = ''
    for (const host of await addressesOf(target)) {
      const socket = keep(net.connect({ host, port: target.port }))
      try {
        await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) })
        socket.setTimeout(IDLE_MS)
        return socket
      } catch (error) {
        socket.destroy()
        why = (error as NodeJS.ErrnoException).code ?? (error as Error).message
      }
    }
    throw new Unreachable(`${addressOf(target)} could not be reached: ${why}.`)
  }
  const answerOf = (error: unknown): { status: number; text: string } => {
    if (error instanceof Refused) {
      traffic.refuse(error.address, error.reason)
      return { status: 403, text: `${error.address} ${REFUSALS[error.reason]}.\n` }
    }
    return { status: 502, text: `${(error as Error).message}\n` }
  }

  const server = http.createServer({ requestTimeout: 0 }, (request, response) => {
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

  /** A plain HTTP request, whose first line names the whole address. */
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = request.url ?? ''
    const match = /^http:\/\/([^/?#]+)(.*)$/i.exec(asked)
    const target = match && targetOf(match[1]!, 80)
    if (!target) throw new Refused(asked, 'not-http')
    requireHost(request, target, 80)
    const socket = await connect(target)
    if (response.destroyed) return void socket.destroy()
    response.once('close', () => socket.destroy())
    traffic.pass()
    const named = new Set((request.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
    const headers = Object.fromEntries(
      Object.entries(request.headersDistinct).filter(([name]) => !HOP_BY_HOP.includes(name) && !named.has(name)),
    )
    const path = match[2]!.replace(/#.*$/, '')
    const onward = http.request({
      createConnection: () => socket,
      method: request.method,
      path: path.startsWith('/') ? path : `/${path}`,
      headers: { ...headers, host: target.port === 80 ? target.host : addressOf(target), connection: 'close' },
    })
    const answer = await new Promise<IncomingMessage>((done, fail) => {
      onward.once('response', done).on('error', (error) => fail(new Unreachable(`${addressOf(target)}: ${error.message}.`)))
      request.pipe(onward)
    })
    const kept = Object.entries(answer.headersDistinct).filter(([name]) => !HOP_BY_HOP.includes(name))
    response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept) as http.OutgoingHttpHeaders)
    answer.once('error', () => response.destroy())
    answer.pipe(response)
  }

  /** Bytes both ways, once they have begun as TLS to the host that was asked for. */
  const tunnel = async (request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> => {
    const target = targetOf(request.url ?? '')
    if (!target) throw new Refused(request.url ?? '', 'not-http')
    requireHost(request, target)
    const server = await connect(target)
    client.once('close', () => server.destroy())
    server.once('close', () => client.destroy())
    if (client.destroyed || client.readableEnded) return void server.destroy() // the client left
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
    take(connection) {
      if (open.size >= MAX_SOCKETS) connection.destroy()
      else server.emit('connection', keep(connection))
    },
    traffic: () => traffic.counts(),
    resetTraffic: () => traffic.reset(),
    close() {
      for (const socket of open) socket.destroy()
    },
  }
}

/** A `Host` that differs from the address in the first line is how one is passed off for another. */
function requireHost(request: IncomingMessage, target: Target, port?: number): void {
  const hosts = request.headersDistinct['host'] ?? []
  const isRight = hosts.every((text) => {
    const host = targetOf(text, port ?? target.port)
    return host !== null && isSame(host, target)
  })
  if (hosts.length > 1 || !isRight) throw new Refused(addressOf(target), 'other-name')
}

/** An address has no name to give; a host must be asked for by its own. */
const isNamed = (name: string | null, { host }: Target): boolean => (isLiteral(host) ? true : name !== null && normal(name) === host)

/** Until the first message of TLS is whole, or cannot be one. */
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
