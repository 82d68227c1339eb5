import { useCallback, useMemo, useRef, useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'
import { formatUrl, parseUrl, type TracesUrl } from './url-state.ts'

export type ChangeUrl = (part: Partial<TracesUrl>, options?: { replace?: boolean }) => void

/** The screen's state is its address. `replace` is for what should not become a step of "back": typing, moving a selection. */
export function useTracesUrl(): [TracesUrl, ChangeUrl] {
  const search = useSearch()
  const [, navigate] = useLocation()
  const state = useMemo(() => parseUrl(search), [search])
  const latest = useRef(state)
  useEffect(() => {
    latest.current = state
  }, [state])
  const change = useCallback<ChangeUrl>(
    (part, options) => {
      const next = { ...latest.current, ...part }
      latest.current = next
      navigate(formatUrl(next), { replace: options?.replace ?? false })
    },
    [navigate],
  )
  return [state, change]
}
