import { AppError } from '#contracts/errors.ts'
import { api } from './client.ts'
import { useConnection } from './connection.ts'
import { keepSessionKey, onSessionKey } from './session-key.ts'

/**
 * A browser is opened with a one-time secret in the fragment (`#secret=…`). The secret is exchanged for a session key and
 * removed from the address, so that it is in no copied link and no history entry.
 */
export async function signIn(): Promise<void> {
  onSessionKey(() => {
    if (useConnection.getState().state === 'signed-out') location.reload()
  })
  // A link opened in the same page only changes the fragment, so the page does not reload.
  window.addEventListener('hashchange', () => {
    if (secretInAddress() !== null) location.reload()
  })
  const secret = secretInAddress()
  if (secret === null) return
  history.replaceState(history.state, '', location.pathname + location.search)
  try {
    const { key } = await api.openSession({ body: { secret, userAgent: navigator.userAgent.slice(0, 1000) } })
    keepSessionKey(key)
  } catch (error) {
    // A link used twice signs this browser out. Any other failure matters only without a valid key; a protected call finds out.
    if (error instanceof AppError && error.code === 'sign_in_link_reused')
      useConnection.setState({ state: 'signed-out', signedOutBecause: `${error.message} ${error.hint ?? ''}` })
    else await api.getCapture({}).catch(() => undefined)
  }
}

const secretInAddress = (): string | null => new URLSearchParams(location.hash.slice(1)).get('secret')
