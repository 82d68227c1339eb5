import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { formatUrl, parseUrl, type ReviewUrl } from './url-state.ts'

export type ChangeUrl = (part: Partial<ReviewUrl>, options?: { replace?: boolean }) => void

/** The screen's state is its address. `replace` is for what should not become a step of "back": moving along the list. */
export function useReviewUrl(): [ReviewUrl, ChangeUrl] {
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
