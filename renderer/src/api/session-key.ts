/** The session key of this browser, in the storage of our own origin: there, unlike with cookies, the port counts. */
const PLACE = 'bashgym.session-key'

/** Where the browser keeps nothing for us, the key lasts as long as the page. */
let unkept: string | null = null

export function sessionKey(): string | null {
  try {
    return localStorage.getItem(PLACE) ?? unkept
  } catch {
    return unkept
  }
}

export function keepSessionKey(key: string): void {
  unkept = key
  try {
    localStorage.setItem(PLACE, key)
  } catch {
    // kept above
  }
}

/** Another tab of this browser has signed in. */
export function onSessionKey(listener: () => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === PLACE && newValue !== null) listener()
  })
}
