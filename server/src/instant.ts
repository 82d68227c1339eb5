/** Milliseconds since 1970 as ISO 8601, UTC; null stays null. */
export function isoOf(at: number): string
export function isoOf(at: number | null): string | null
export function isoOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
