import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'

export type ChangeSearch = (part: Record<string, string | null>, options?: { replace?: boolean }) => void

/** The query part of the address, so that a view can be linked to. Null or '' removes a name. */
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

export type ChangeState<State> = (part: Partial<State>, options?: { replace?: boolean }) => void

/**
 * The state of a screen, kept in the whole address: `parse` reads the query part, `format` writes path and query. Both
 * must stay the same functions. `replace` is for changes that should not become a step of "back".
 */
export function useUrlState<State>(parse: (search: string) => State, format: (state: State) => string): [State, ChangeState<State>] {
  const search = useSearch()
  const [, navigate] = useLocation()
  const state = useMemo(() => parse(search), [parse, search])
  const latest = useRef(state)
  useEffect(() => {
    latest.current = state
  }, [state])
  const change = useCallback<ChangeState<State>>(
    (part, options) => {
      const next = { ...latest.current, ...part }
      latest.current = next
      navigate(format(next), { replace: options?.replace ?? false })
    },
    [format, navigate],
  )
  return [state, change]
}
