import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const ends = new WeakMap<Socket, () => void>()

/**
 * Anyone on this machine may connect without a token: those who send nothing, or slowly, or do not read, must not keep
 * others out. A connection waits until its caller is known; above `most` the one that has waited longest is closed.
 */
export function boundWaiting(server: Server, most: number): void {
  const waiting = new Set<Socket>() // in order of arrival
  const wait = (socket: Socket) => {
    if (socket.destroyed) return
    waiting.delete(socket)
    waiting.add(socket)
    const [longest] = waiting
    if (waiting.size > most) longest?.destroy()
  }
  server.on('connection', (socket) => {
    ends.set(socket, () => waiting.delete(socket))
    socket.once('close', () => waiting.delete(socket))
    wait(socket)
  })
  server.on('request', ({ socket }, response) => response.once('close', () => wait(socket)))
  server.on('upgrade', ({ socket }) => waiting.delete(socket))
}

/** Called once its caller is known. */
export const endWaiting = (socket: Socket): void => ends.get(socket)?.()
