import { useEffect, useState } from 'react'
import { formatDay, formatInstant, formatRelative } from './format.ts'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One clock for all relative times on the page; ticks every 10 s while one is shown. */
function useClock(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const tick = () => setNow(Date.now())
    listeners.add(tick)
    timer ??= setInterval(() => listeners.forEach((listener) => listener()), 10_000)
    return () => {
      listeners.delete(tick)
      if (listeners.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [])
  return now
}

interface RelativeTimeProps {
  at: string | number | null | undefined
  /** Shown instead of a time in the past, for something that is due. */
  due?: string
  className?: string
}

/** "4 min ago" with the exact time on hover; a dash if the time is not known. */
export function RelativeTime({ at, due, className }: RelativeTimeProps) {
  const now = useClock()
  if (at === null || at === undefined) return <span className={className}>{formatRelative(at)}</span>
  return (
    <time dateTime={new Date(at).toISOString()} title={formatInstant(at)} className={className}>
      {due !== undefined && new Date(at).getTime() <= now ? due : formatRelative(at, Math.max(now, 0))}
    </time>
  )
}

/** The local date, YYYY-MM-DD, updated at midnight. */
export const useToday = (): string => formatDay(useClock())
