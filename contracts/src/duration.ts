/** Milliseconds → "340 ms", "4.2 s", "3 m 05 s", "2 h 10 m", "3 d 4 h"; what is not known is a dash. */
export function formatDuration(ms: number | null | undefined): string {
  // a clock that was set back gives a negative span, which is not a measurement
  if (ms === null || ms === undefined || !Number.isFinite(ms) || ms < 0) return '–'
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
