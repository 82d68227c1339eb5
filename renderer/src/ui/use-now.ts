import { useEffect, useState } from 'react'

/** The current time; ticks while `isWanted`. */
export function useNow(isWanted: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isWanted) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isWanted])
  return now
}
