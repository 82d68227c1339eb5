import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'

export type ChangeSearch = (part: Record<string, string | null>, options?: { replace?: boolean }) => void

/** The query of the address: what a screen shows can be linked to. Null or '' takes a name out. */
export function useSearchState(): [URLSearchParams, ChangeSearch] {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const state = useMemo(() => new URLSearchParams(search), [search])
  const latest = useRef(state)
  useEffect(() => {
    latest.current = state
  }, [state])
  const change = useCallback<ChangeSearch>(
    (part, options) => {
      const next = new URLSearchParams(latest.current)
      for (const [name, value] of Object.entries(part)) {
        if (value === null || value === '') next.delete(name)
        else next.set(name, value)
      }
      latest.current = next
      const text = next.toString()
      navigate(text ? `${path}?${text}` : path, { replace: options?.replace ?? false })
    },
    [navigate, path],
  )
  return [state, change]
}
