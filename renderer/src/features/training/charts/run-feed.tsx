import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { MetricSeries } from '#contracts/entities/run.ts'
import { api } from '#renderer/api/client.ts'
import { runKeys } from '#renderer/api/runs.ts'
import { onMessage } from '#renderer/api/socket.ts'
import { useWords, type CurveSource } from './source.ts'
import { stepsOf, type View } from '#renderer/ui/curves/view.ts'

interface MetricsRange {
  from?: number
  to?: number
  points: number
}

/** Number of buckets requested for a curve: about as many as a wide screen has pixels. */
const POINTS = 2000

/** Fills a source with the stored points, the points of new messages, and finer points for the visible range. */
export function RunFeed({ source, view, onError }: { source: CurveSource; view: View; onError?: (error: Error | null) => void }) {
  const queries = useQueryClient()
  const { runId } = source
  useWords(useMemo(() => [source], [source]))
  // subscribes before the first request, so that no message is missed between the answer and the subscription
  useEffect(
    () =>
      onMessage('training:progress', (message) => {
        if (message.runId === runId && source.takeMessage(message)) {
          void queries.invalidateQueries({ queryKey: runKeys.metrics(runId, { points: POINTS }) })
        }
      }),
    [runId, source, queries],
  )
  const whole = useMetrics(runId, { points: POINTS }, true)
  useEffect(() => {
    if (whole.data) source.takeWhole(whole.data)
  }, [whole.data, source])
  useEffect(() => onError?.(whole.error), [whole.error, onError])

  const part = partOf(source, view)
  const detail = useMetrics(runId, { from: part?.[0] ?? 0, to: part?.[1] ?? 0, points: POINTS }, part !== null)
  const [from, to] = part ?? [null, null]
  useEffect(() => {
    if (from === null) source.takePart(null)
    else if (detail.data) source.takePart(detail.data, { from, to })
  }, [detail.data, from, to, source])
  return null
}

/** The visible range of steps if it should be loaded in finer buckets; otherwise null. */
function partOf(source: CurveSource, view: View): [number, number] | null {
  if (!view.range || !source.coarse || !source.whole) return null
  const longest = [...source.whole.series.values()].reduce((best, one) => (one.size > best.size ? one : best))
  return stepsOf(longest, view.axis.id, view.range)
}

const useMetrics = (id: string, range: MetricsRange, enabled: boolean) =>
  useQuery({
    queryKey: runKeys.metrics(id, range),
    queryFn: async ({ signal }): Promise<MetricSeries[]> => {
      const { names } = await api.getRunMetrics({ params: { id }, query: { points: 10 }, signal })
      if (names.length === 0) return []
      return (await api.getRunMetrics({ params: { id }, query: { names, ...range }, signal })).series
    },
    enabled,
    // messages that arrived while the page was closed are not cached
    refetchOnMount: 'always',
    gcTime: 0,
    structuralSharing: false,
  })
