import type { GuardrailEvent } from '#contracts/entities/guardrail.ts'

const COLUMNS = ['at', 'verdict', 'action', 'type', 'source', 'rule', 'reason', 'score', 'wasRight', 'sandboxId', 'traceId', 'stepId', 'excerpt', 'id'] as const // prettier-ignore

/** A spreadsheet would run a cell that begins like a formula. */
const cellOf = (value: string | number | boolean | null): string => {
  const text = value === null ? '' : String(value)
  return `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`
}

export const csvOf = (events: readonly GuardrailEvent[]): string =>
  [COLUMNS.join(','), ...events.map((event) => COLUMNS.map((name) => cellOf(event[name])).join(','))].map((line) => `${line}\r\n`).join('')
