/** Milliseconds → "12 s", "3 min 5 s", "2 h 10 min"; with `fine` also "340 ms" and "4.2 s". */
export function formatDuration(ms: number, { fine = false }: { fine?: boolean } = {}): string {
  if (fine && ms < 1000) return `${Math.round(ms)} ms`
  if (fine && ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}
