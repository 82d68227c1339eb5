/** Rows as a format has them, and what of the row the format has no place for (one entry a loss, counted over rows). */
export interface Shaped {
  rows: Record<string, unknown>[]
  losses: string[]
}
