import WebSocket from 'ws'
import { createClient } from '#contracts/derive/client.ts'
import { routes } from '#contracts/routes/index.ts'
import { serverMessages, type ServerMessage } from '#contracts/messages.ts'
import type { Connection } from './command.ts'
import { httpCall } from './http-call.ts'

/** Connects to a running server: HTTP for calls, the socket for messages. The caller must know that the token belongs to this server. */
export function overHttp(url: string, token: string): Connection {
  const authorization = `Bearer ${token}`
  return {
    client: createClient(routes, ({ method, path, body, signal }) =>
      httpCall(`${url}${path}`, {
        method,
        headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        body,
        signal,
      }),
    ),
    follow: (listener, signal) => followSocket(url, authorization, listener, signal),
    close: () => Promise.resolve(),
  }
}

function followSocket(url: string, authorization: string, listener: (message: ServerMessage) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { authorization } })
    socket.once('open', () => socket.send(JSON.stringify({ type: 'subscribe', topics: ['*'], afterSeq: null })))
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8')) as ServerMessage // the server sends contracts/messages.ts
      if (message.type in serverMessages) listener(message)
    })
    socket.once('error', reject)
    socket.once('close', () => resolve())
    signal.addEventListener('abort', () => socket.close(), { once: true })
  })
}
