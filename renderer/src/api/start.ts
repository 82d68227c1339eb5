import { markReceived, useConnection } from './connection.ts'
import { api } from './client.ts'
import { dispatch, type Handlers } from './messages.ts'
import { sessionKey } from './session-key.ts'
import { openSocket, notifyListeners, type ServerSocket } from './socket.ts'

let socket: ServerSocket | null = null

/** Tries to reach the server at once instead of at the next try. */
export const retryNow = () => socket?.retry()

/** One protected call says why this browser is signed out, or that another tab has a newer key. */
async function loadSignOutReason(): Promise<void> {
  await api.getCapture({}).catch(() => undefined) // the client sets the connection state
  if (useConnection.getState().state !== 'signed-out') retryNow()
}

/** Connects the cache to the server and keeps it connected. Called once, before the first render. */
export function startLive(handlers: Handlers): ServerSocket {
  socket = openSocket({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`,
    key: sessionKey,
    onMessage: (message) => {
      markReceived()
      dispatch(handlers, message)
      notifyListeners(message)
    },
    onState: (state, retryAt) => {
      const before = useConnection.getState().state
      // Only an answer with 401 says why; the socket only says that the sign-in ended.
      if (before === 'signed-out') return
      if (state === 'signed-out') {
        void loadSignOutReason()
        return
      }
      // During retries of a lost connection the state stays "offline", so that the text does not flicker.
      if (state === 'connecting' && before === 'offline') return
      useConnection.setState({ state, retryAt })
    },
  })
  return socket
}
