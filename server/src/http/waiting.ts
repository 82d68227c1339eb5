import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const ends = new WeakMap<Socket, () => void>()

/**
 * Limits the connections whose caller is not known yet, because any program on this machine can connect without a token,
 * send nothing, and so use up all connections. Above `limit` the longest waiting connection is closed.
 */
export function limitWaiting(server: Server, limit: number): void {
  const waiting = new Set<Socket>() // in order of arrival
  const wait = (socket: Socket) => {
    if (socket.destroyed) return
    waiting.delete(socket)
    waiting.add(socket)
    const [longest] = waiting
    if (waiting.size > limit) longest?.destroy()
  }
  server.on('connection', (socket) => {
    ends.set(socket, () => waiting.delete(socket))
    socket.once('close', () => waiting.delete(socket))
    wait(socket)
  })
  server.on('request', ({ socket }, response) => response.once('close', () => wait(socket)))
  server.on('upgrade', ({ socket }) => waiting.delete(socket))
}

/** Must be called when the caller of a connection is known. */
export const endWaiting = (socket: Socket): void => ends.get(socket)?.()
