import { useEffect, useState } from 'react'

const AFTER_MS = 300

/** A value, updated once it has not changed for a moment: for requests while the user types. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), AFTER_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
