import { useCallback } from 'react'
import type { Series } from './series.ts'
import { shownSpan, spanOf, zoomed, type Span, type View } from './view.ts'

/**
 * What is looked at now, and how to look closer or elsewhere. `shown` are the curves as drawn, `whole` all of them from
 * end to end; both are asked each time, as curves grow, and must stay the same functions while they mean the same.
 */
export function useZoom(
  view: View,
  { shown, whole, onRange }: { shown: () => readonly Series[]; whole: () => readonly Series[]; onRange: (range: Span | null) => void },
) {
  const spanNow = useCallback((): Span | null => shownSpan(shown(), view), [shown, view])
  const onZoom = useCallback(
    (change: { factor?: number; shift?: number }) => {
      const [all, now] = [spanOf(whole(), view.axis.id), spanNow()]
      if (all && now) onRange(zoomed(now, all, change))
    },
    [whole, spanNow, view.axis, onRange],
  )
  return { spanNow, onZoom }
}
