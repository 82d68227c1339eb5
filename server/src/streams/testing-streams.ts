import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { z } from 'zod'
import type { StreamSize } from '#contracts/streams.ts'
import { createGuard } from '#server/http/guard.ts'
import { attachSockets } from '#server/http/socket.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { createRing } from './ring.ts'
import type { StreamImplementation } from './source.ts'

export const kindOf = (name: string) => ({ name, summary: name, id: z.string(), errors: [] })

/** Echoes its input; the last bytes survive reconnects. `onWrite` is called before a write is acknowledged. */
export function createEcho(capacity: number, onWrite: () => void = () => {}) {
  const ring = createRing(capacity)
  const sizes: StreamSize[] = []
  let readers = 0
  const implementation: StreamImplementation = {
    kind: kindOf('echo'),
    open(_id, from) {
      readers += 1
      return {
        ...ring.reader(from),
        write(bytes) {
          ring.push(bytes)
          onWrite()
        },
        resize: (size) => void sizes.push(size),
        close() {
          readers -= 1
        },
      }
    },
  }
  return {
    implementation,
    ring,
    sizes,
    get readers() {
      return readers
    },
  }
}

export interface StreamServer {
  server: TestServer
  port: number
  /** Destroys every connection. */
  disconnectAll(): void
  close(): Promise<void>
}

/** Starts the sockets of a real server, with `streams` instead of the server's. */
export async function startStreamServer(streams: readonly StreamImplementation[]): Promise<StreamServer> {
  const server = await startTestServer()
  const listener = http.createServer()
  const connections = new Set<Socket>()
  listener.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  const guard = createGuard({ callers: server.app.access, hosts: [`127.0.0.1:${port}`] })
  const { events, log } = server.app.core
  const sockets = attachSockets(listener, { guard, events, streams, log })
  return {
    server,
    port,
    disconnectAll: () => connections.forEach((connection) => connection.destroy()),
    async close() {
      await sockets.close()
      await new Promise((resolve) => listener.close(resolve))
      await server.close()
    },
  }
}
