/** The session key of this browser, in `localStorage`: unlike cookies it is separate for each port. */
const STORAGE_KEY = 'bashgym.session-key'

/** Used where the browser stores nothing; it lasts as long as the page. */
let inMemory: string | null = null

export function sessionKey(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? inMemory
  } catch {
    return inMemory
  }
}

export function keepSessionKey(key: string): void {
  inMemory = key
  try {
    localStorage.setItem(STORAGE_KEY, key)
  } catch {
    // kept in memory
  }
}

/** Another tab of this browser has signed in. */
export function onSessionKey(listener: () => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === STORAGE_KEY && newValue !== null) listener()
  })
}
