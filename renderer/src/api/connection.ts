import { create } from 'zustand'

/** The connection to the server: whether the server can be reached and since when. Holds no server data. */
export interface Connection {
  /** `connecting` until the first answer; `offline` when the server stops answering; `signed-out` without a valid session key. */
  state: 'connecting' | 'online' | 'offline' | 'signed-out'
  /** Why a key stopped being valid; null if there was none. */
  signedOutBecause: string | null
  /** When something last came from the server (ms since 1970), null before the first time. */
  lastDataAt: number | null
  /** When the next try to reconnect starts, null while online. */
  retryAt: number | null
}

export const useConnection = create<Connection>(() => ({ state: 'connecting', signedOutBecause: null, lastDataAt: null, retryAt: null }))

export const markReceived = () => useConnection.setState({ lastDataAt: Date.now() })

/**
 * Resolves when the server has answered or proved unreachable, at the latest after `longest` ms. Anything requested
 * before that has to be requested again.
 */
export const firstAnswer = (longest: number): Promise<void> =>
  new Promise((resolve) => {
    const timeout = setTimeout(resolve, longest)
    const unsubscribe = useConnection.subscribe(({ state }) => {
      if (state === 'connecting') return
      clearTimeout(timeout)
      unsubscribe()
      resolve()
    })
  })

/** Why an action on the server is not possible now, or null. For the `reason` of buttons. */
export function useOfflineReason(): string | null {
  const state = useConnection((connection) => connection.state)
  return state === 'offline' ? 'The server is not reachable. This works again once it is back.' : null
}
