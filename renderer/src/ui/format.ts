/**
 * How values are written. Null and undefined mean "not known" and become a dash, never 0. Every locale gets a comma
 * for grouping and a decimal point, as in commands and exports.
 */
export const DASH = '–'

type Maybe = number | null | undefined
const isKnown = (value: Maybe): value is number => value !== null && value !== undefined && Number.isFinite(value)

const wholeNumber = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** 1234 → "1,234". */
export function formatCount(value: Maybe): string {
  return isKnown(value) ? wholeNumber.format(value) : DASH
}

/** 1_234_567 → "1.23M"; below 10,000 whole. For tokens and other figures whose last digits don't matter. */
export function formatCompact(value: Maybe): string {
  if (!isKnown(value)) return DASH
  if (Math.abs(value) < 10_000) return wholeNumber.format(value)
  const units = ['', 'k', 'M', 'G', 'T']
  let power = 0
  let rest = value
  while (Math.abs(rest) >= 999.5 && power < units.length - 1) {
    rest /= 1000
    power += 1
  }
  return `${threeDigits(rest)}${units[power]}`
}

/** A measured value with four significant digits: "7.184", "0.0002", "1.20e-7", "4.433e+33". */
export function formatValue(value: Maybe): string {
  if (!isKnown(value)) return DASH
  const size = Math.abs(value)
  if (value === 0) return '0'
  if (size >= 1e15) return value.toExponential(3) // a diverging loss exceeds every unit
  if (size >= 1e5) return formatCompact(value)
  if (size < 1e-4) return value.toExponential(2)
  return String(Number(value.toPrecision(4)))
}

const threeDigits = (value: number) => {
  const size = Math.abs(value)
  return value.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2)
}

/** Parameters of a model: 1_543_714_304 → "1.54B". */
export const formatParameters = (value: Maybe): string => formatCompact(value).replace('G', 'B')

/** Bytes in units of 1,000, as disks are sold: 1_234_567 → "1.23 MB". */
export function formatBytes(value: Maybe): string {
  if (!isKnown(value)) return DASH
  if (Math.abs(value) < 1000) return `${wholeNumber.format(value)} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let power = -1
  let rest = value
  while (Math.abs(rest) >= 999.5 && power < units.length - 1) {
    rest /= 1000
    power += 1
  }
  return `${threeDigits(rest)} ${units[power]}`
}

/** 0.1234 → "12 %"; with `digits` 1 → "12.3 %". Never rounds up to 100 % or down to 0 %. */
export function formatPercent(value: Maybe, digits = 0): string {
  if (!isKnown(value)) return DASH
  const text = (value * 100).toFixed(digits)
  const full = (100).toFixed(digits)
  if (value > 0 && Number(text) === 0) return `< ${(10 ** -digits).toFixed(digits)} %`
  return `${text === full && value < 1 ? (100 - 10 ** -digits).toFixed(digits) : text} %`
}

/** US dollars; under a cent "< $0.01", because "$0.00" would read as free. */
export function formatUsd(value: Maybe): string {
  if (!isKnown(value)) return DASH
  if (value > 0 && value < 0.01) return '< $0.01'
  return `$${value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
}

/** A price per million tokens in full: at least two decimals, as many as it has. 0.3125 → "$0.3125". */
export function formatPrice(value: Maybe): string {
  return isKnown(value) ? `$${value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })}` : DASH
}

/** Milliseconds → "340 ms", "4.2 s", "3 m 05 s", "2 h 10 m", "3 d 4 h". */
export function formatDuration(ms: Maybe): string {
  // a clock that was set back gives a negative span, which is not a measurement
  if (!isKnown(ms) || ms < 0) return DASH
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  const total = Math.round(seconds)
  const [days, hours, minutes] = [Math.floor(total / 86_400), Math.floor((total % 86_400) / 3600), Math.floor((total % 3600) / 60)]
  if (days > 0) return `${days} d ${hours} h`
  if (hours > 0) return `${hours} h ${pad(minutes)} m`
  return `${minutes} m ${pad(total % 60)} s`
}

const pad = (value: number) => String(value).padStart(2, '0')

/** Time left, rounded because it is an estimate: "about 20 s", "about 4 min". */
export function formatEta(seconds: Maybe): string {
  if (!isKnown(seconds)) return DASH
  if (seconds < 5) return 'a few seconds'
  if (seconds < 90) return `about ${Math.ceil(seconds / 5) * 5} s`
  if (seconds < 5400) return `about ${Math.round(seconds / 60)} min`
  return `about ${(seconds / 3600).toFixed(1)} h`
}

type When = string | number | Date | null | undefined
const timeOf = (value: When) => (value === null || value === undefined ? Number.NaN : new Date(value).getTime())

/** "just now", "4 min ago", "3 h ago", "2 d ago", then the date. Times ahead: "in 4 min". */
export function formatRelative(value: When, now: number = Date.now()): string {
  const time = timeOf(value)
  if (Number.isNaN(time)) return DASH
  const ahead = time > now
  const seconds = Math.abs(now - time) / 1000
  const phrase = (amount: number, unit: string) => (ahead ? `in ${amount} ${unit}` : `${amount} ${unit} ago`)
  if (seconds < 10) return 'just now'
  if (seconds < 60) return phrase(Math.floor(seconds), 's')
  if (seconds < 3600) return phrase(Math.floor(seconds / 60), 'min')
  if (seconds < 86_400) return phrase(Math.floor(seconds / 3600), 'h')
  if (seconds < 30 * 86_400) return phrase(Math.floor(seconds / 86_400), 'd')
  return formatDay(value)
}

/** Local date and time to the second: "2026-11-21 10:15:03". */
export function formatInstant(value: When): string {
  const time = timeOf(value)
  if (Number.isNaN(time)) return DASH
  const date = new Date(time)
  return `${formatDay(date)} ${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`
}

/** Local time of day: "10:15". */
export function formatClock(value: When): string {
  const time = timeOf(value)
  if (Number.isNaN(time)) return DASH
  const date = new Date(time)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`
}

/** Local date: "2026-11-21". */
export function formatDay(value: When): string {
  const time = timeOf(value)
  if (Number.isNaN(time)) return DASH
  const date = new Date(time)
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

/** "1 session", "1,204 sessions". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${wholeNumber.format(count)} ${count === 1 ? one : many}`
}

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const SUFFIX: Record<Intl.LDMLPluralRule, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' }

/** "1st", "22nd", "113th". */
export function formatOrdinal(value: number): string {
  return `${wholeNumber.format(value)}${SUFFIX[ordinals.select(value)]}`
}

/** Cut in the middle, so that both ends of a path stay readable: "/home/me/…/src/app.ts". */
export function middleCut(text: string, max: number): string {
  if (text.length <= max) return text
  const keep = max - 1
  const head = Math.ceil(keep * 0.4)
  return `${text.slice(0, head)}…${text.slice(text.length - (keep - head))}`
}
