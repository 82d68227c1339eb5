/** Whether an address has this origin. `data:` and other opaque addresses have none. */
export function hasOrigin(url: string, origin: string | null): boolean {
  try {
    return origin !== null && new URL(url).origin === origin
  } catch {
    return false // not an address
  }
}
