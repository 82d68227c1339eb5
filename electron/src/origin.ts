/** Whether an address is of that origin. `data:` and other opaque addresses are of none. */
export function isFrom(url: string, origin: string | null): boolean {
  try {
    return origin !== null && new URL(url).origin === origin
  } catch {
    return false // not an address
  }
}
