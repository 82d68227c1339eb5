import type { ImportError } from '#contracts/entities/capture.ts'

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** 1000-based like on the screens, three figures: "1.18 GB". */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 ? value : value < 999.5 ? value.toPrecision(3) : value.toFixed(0)} ${UNITS[unit]}`
}

/**
 * Makes control characters and invisible characters visible, so that text from sessions cannot control the terminal.
 * `ui/visible.tsx` of the renderer has the same list.
 */
export const forTerminal = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- control characters are what this replaces
    .replaceAll(/[\u0000-\u0008\u000B-\u001F]/g, (sign) => String.fromCharCode(0x24_00 + sign.charCodeAt(0)))
    .replaceAll(HIDDEN, (sign) => `⟨U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`)

const HIDDEN =
  // oxlint-disable-next-line no-misleading-character-class -- each character is matched by itself
  /[\u007F-\u009F\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]|(?<=[\u0020-\u007E])[\u200C\u200D]|(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]*)[\u{E0000}-\u{E007F}]/gu

/** An import error as `file:line: message`. */
export const atLine = ({ file, line, message }: ImportError): string => `${file}${line === null ? '' : `:${line}`}: ${message}`

/** Shows an unknown value as a dash, never as zero. */
export const orDash = <T>(value: T | null | undefined, format: (value: T) => string): string =>
  value === null || value === undefined ? '–' : format(value)

export const formatNumber = (value: number) => value.toLocaleString('en-US')
export const formatFigure = (value: number) => value.toPrecision(4)
export const formatPercent = (share: number) => `${(100 * share).toFixed(1)} %`
/** What is less than can be shown does not read as free. */
export const formatUsd = (value: number) => (value > 0 && value < 0.001 ? '< $0.001' : `$${value.toFixed(value > 0 && value < 1 ? 3 : 2)}`)

export { formatDuration } from '#server/duration.ts'

/** Pads each column to its widest cell. Cells that begin with a digit, $ or – are right-aligned, except in the first column. */
export function table(rows: string[][]): string {
  const widths = rows.reduce<number[]>((sizes, row) => row.map((cell, index) => Math.max(sizes[index] ?? 0, cell.length)), [])
  return rows
    .map((row) =>
      row
        .map((cell, index) => (/^[\d$–]/.test(cell) && index > 0 ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Cuts in the middle, so that the end of a path stays readable. */
export function shorten(text: string, length: number): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  if (flat.length <= length) return flat
  const tail = Math.floor(length / 3)
  return `${flat.slice(0, length - tail - 1)}…${flat.slice(-tail)}`
}
