import { formatCompact, formatValue } from '../format.ts'
import type { Axis } from './axis.ts'

/** Values of an axis, with as many digits as are needed to distinguish them. */
export function formatTicks(values: readonly number[]): string[] {
  for (let digits = 4; digits <= 10; digits += 1) {
    const words = values.map((value) => (digits === 4 ? formatValue(value) : String(Number(value.toPrecision(digits)))))
    if (new Set(words).size === words.length) return words
  }
  return values.map(String)
}

export function formatPlace({ kind }: Axis, value: number): string {
  if (kind === 'whole') return formatCompact(Math.round(value))
  return kind === 'part' ? String(Number(value.toFixed(3))) : formatSeconds(value)
}

/** 75 → "1:15", 4000 → "1:06:40": short enough for an axis. */
export function formatSeconds(value: number): string {
  const total = Math.max(0, Math.round(value))
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60]
  const pad = (part: number) => String(part).padStart(2, '0')
  return hours > 0
    ? `${hours}:${pad(minutes)}:${pad(seconds)}`
    : value < 60
      ? `${Number(value.toFixed(1))} s`
      : `${minutes}:${pad(seconds)}`
}
