// Prints a table and saves the figures as JSON.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export interface Row {
  what: string
  figure: string
  limit: string
  /** null if there is no limit. */
  met: boolean | null
}

export function report(name: string, rows: readonly Row[], data: Record<string, unknown>): void {
  const widths = (['what', 'figure', 'limit'] as const).map((key) => Math.max(key.length, ...rows.map((row) => row[key].length)))
  const line = (cells: readonly string[]) => cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ')
  const load = os.loadavg()[0]!.toFixed(1)
  console.log(`\n${name} (${os.availableParallelism()} cores, Node ${process.versions.node}, load average ${load})`)
  console.log(line(['what', 'figure', 'limit']))
  for (const row of rows) console.log(`${line([row.what, row.figure, row.limit])}  ${row.met === null ? '' : row.met ? 'met' : 'MISSED'}`)
  const folder = path.join(import.meta.dirname, '..', 'results')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(
    path.join(folder, `${name}.json`),
    `${JSON.stringify({ name, at: new Date().toISOString(), load, cores: os.availableParallelism(), rows, data }, null, 2)}\n`,
  )
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
