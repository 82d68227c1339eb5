import { useEffect, useState } from 'react'

const AFTER_MS = 300

/** A value once it has stayed the same for a moment: what is asked of the server while somebody types. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), AFTER_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
