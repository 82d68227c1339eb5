import { useCallback } from 'react'
import type { Series } from './series.ts'
import { shownSpan, spanOf, zoomed, type Span, type View } from './view.ts'

/**
 * The range of the axis that is shown, and a function that zooms and pans. `shown` and `whole` return the shown and the full
 * curves; they are called each time, because curves grow, and must stay the same functions between renders.
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
