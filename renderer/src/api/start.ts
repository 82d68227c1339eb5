import type { QueryClient } from '@tanstack/react-query'
import { heard, useConnection } from './connection.ts'
import { createHandlers, dispatch } from './handlers.ts'
import { openSocket, tellListeners, type ServerSocket } from './socket.ts'

let socket: ServerSocket | null = null

/** Tries to reach the server at once instead of at the next try. */
export const retryNow = () => socket?.retry()

/** Connects the cache to the server and keeps it connected. Called once, before the first render. */
export function startLive(queries: QueryClient): ServerSocket {
  const handlers = createHandlers(queries)
  socket = openSocket({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`,
    onMessage: (message) => {
      heard()
      dispatch(handlers, message)
      tellListeners(message)
    },
    onState: (state, retryAt) => {
      const before = useConnection.getState().state
      // A browser does not tell that the socket was refused for want of a cookie; an answer with 401 has told, and that holds.
      if (before === 'signed-out') return
      // While a lost connection is being tried again the page stays "offline": the word must not flicker.
      if (state === 'connecting' && before === 'offline') return
      useConnection.setState({ state, retryAt })
    },
  })
  return socket
}
