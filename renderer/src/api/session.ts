import { api } from './client.ts'
import { useConnection } from './connection.ts'

/**
 * A browser is opened with a one-time code in the fragment (`#code=…`): exchanged for the cookie, then taken out of
 * the address so that no copied link and no history entry carries it.
 */
export async function signIn(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code === null) return
  history.replaceState(history.state, '', location.pathname + location.search)
  try {
    await api.openSession({ body: { code } })
  } catch {
    // A used or expired code matters only where no cookie is there: whether it is, one protected call shows.
    await api.getCapture({}).catch(() => useConnection.getState())
  }
}
