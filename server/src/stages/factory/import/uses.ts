import type { ColumnUse } from '#contracts/entities/dataset.ts'

/** Counts in how many rows each column is read as what. */
export function createUseCounts() {
  const counts = new Map<string, ColumnUse>()
  return {
    add(uses: ReadonlyMap<string, string | null>): void {
      for (const [column, use] of uses) {
        const key = JSON.stringify([column, use])
        const counted = counts.get(key) ?? { column, use, rows: 0 }
        counted.rows += 1
        counts.set(key, counted)
      }
    },
    list: (): ColumnUse[] => [...counts.values()],
  }
}
export type UseCounts = ReturnType<typeof createUseCounts>
