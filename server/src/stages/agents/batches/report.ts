import type { BatchRate, BatchResult, BatchReport } from '#contracts/entities/batch.ts'
import { TaskBoundary } from '#contracts/entities/task.ts'
import { wilsonOfTasks } from '#contracts/wilson.ts'

export function reportOf(results: readonly BatchResult[]): Omit<BatchReport, 'leftOut' | 'winners'> {
  const by = <K>(keyOf: (one: BatchResult) => K) => [...Map.groupBy(results, keyOf)]
  return {
    total: rateOf(results),
    byTask: by(({ key }) => key).map(([key, own]) => ({ key, ...rateOf(own) })),
    byModel: by(({ model }) => model).map(([model, own]) => ({ model, ...rateOf(own) })),
    byBoundary: TaskBoundary.options.flatMap((boundary) => {
      const attempts = results.filter((one) => one.boundary === boundary).length
      return attempts === 0 ? [] : [{ boundary, attempts }]
    }),
    results: [...results],
  }
}

function rateOf(results: readonly BatchResult[]): BatchRate {
  const count = (outcome: BatchResult['outcome']) => results.filter((one) => one.outcome === outcome).length
  const [passed, failed] = [count('passed'), count('failed')]
  const tasks = new Set(results.flatMap(({ key, outcome }) => (outcome === 'passed' || outcome === 'failed' ? [key] : []))).size
  const interval = wilsonOfTasks(passed, passed + failed, tasks)
  const costs = results.flatMap(({ taskId, costUsd }) => (taskId === null ? [] : [costUsd]))
  return {
    attempts: results.length,
    tasks,
    passed,
    failed,
    unverified: count('unverified'),
    owed: count('owed'),
    rate: interval && passed / (passed + failed),
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    costUsd: costs.length === 0 ? null : costs.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0),
    medianMs: medianOf(results.flatMap(({ durationMs }) => durationMs ?? [])),
  }
}

export function medianOf(values: number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const COLUMNS = [
  'key', 'attempt', 'taskId', 'outcome', 'agent', 'model', 'boundary', 'message', 'traceId', 'turns', 'costUsd', 'durationMs', 'endedAt',
] as const satisfies readonly (keyof BatchResult)[] // prettier-ignore

/** CSV in the format of RFC 4180. Text that a spreadsheet would read as a formula gets a leading apostrophe. */
export function toCsv(results: readonly BatchResult[]): string {
  const header = [...COLUMNS, 'inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens']
  const rows = results.map((one) => [
    ...COLUMNS.map((column) => one[column]),
    one.tokens.input,
    one.tokens.output,
    one.tokens.cacheRead,
    one.tokens.cacheWrite,
  ])
  return [header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const toJsonLines = (results: readonly BatchResult[]): string => results.map((one) => `${JSON.stringify(one)}\n`).join('')
