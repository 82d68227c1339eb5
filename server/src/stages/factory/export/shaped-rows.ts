/** A converted row, and descriptions of what the format cannot store. */
export interface ShapedRows {
  rows: Record<string, unknown>[]
  losses: string[]
}
