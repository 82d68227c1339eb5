import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { CLOSE_MS, MAX_QUEUED, MAX_UNSENT } from './limits.ts'

/** The only place that creates one. `maxMessage` in bytes: a longer message ends its connection before it is read. */
export const createSocketServer = (maxMessage: number): WebSocketServer =>
  new WebSocketServer({ noServer: true, maxPayload: maxMessage, perMessageDeflate: false })

/** Answers an upgrade that is refused, on the raw connection, which the client cannot keep open. */
export function refuseUpgrade(socket: Duplex, status: number, document: unknown): void {
  const body = JSON.stringify(document)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), CLOSE_MS).unref()
}

/** Passes on the messages of a client, and stops reading while too many of them wait for their answer. */
export function receive(client: WebSocket, answer: (bytes: Buffer) => Promise<void>): void {
  let queued = 0
  client.on('message', (data: RawData) => {
    queued += 1
    if (queued >= MAX_QUEUED) client.pause()
    void answer(bytesOf(data)).finally(() => {
      queued -= 1
      if (queued < MAX_QUEUED && client.isPaused) client.resume()
    })
  })
}

/** Drops a client that does not read what it is sent. */
export function send(client: WebSocket, text: string): void {
  client.send(text)
  if (client.bufferedAmount > MAX_UNSENT) client.terminate()
}

export const bytesOf = (data: RawData): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data
