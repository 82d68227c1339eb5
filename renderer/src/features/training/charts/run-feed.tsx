import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { MetricSeries } from '#contracts/entities/run.ts'
import { api } from '#renderer/api/client.ts'
import { runKeys } from '#renderer/api/runs.ts'
import { onMessage } from '#renderer/api/socket.ts'
import { useWords, type CurveSource } from './source.ts'
import { stepsOf, type View } from '#renderer/ui/curves/view.ts'

interface Asked {
  from?: number
  to?: number
  points: number
}

/** Number of buckets requested for a whole curve: more than a wide screen has pixels. */
const WHOLE_POINTS = 2000
const PART_POINTS = 2000

/** Fills a source: with what the server has, with what comes, and with finer steps of the part that is looked at. */
export function RunFeed({ source, view, onError }: { source: CurveSource; view: View; onError?: (error: Error | null) => void }) {
  const queries = useQueryClient()
  const { runId } = source
  useWords(useMemo(() => [source], [source]))
  // before the first question, so that nothing falls between the answer and the first message
  useEffect(
    () =>
      onMessage('training:progress', (message) => {
        if (message.runId === runId && source.takeMessage(message)) {
          void queries.invalidateQueries({ queryKey: runKeys.metrics(runId, { points: WHOLE_POINTS }) })
        }
      }),
    [runId, source, queries],
  )
  const whole = useMetrics(runId, { points: WHOLE_POINTS }, true)
  useEffect(() => {
    if (whole.data) source.takeWhole(whole.data)
  }, [whole.data, source])
  useEffect(() => onError?.(whole.error), [whole.error, onError])

  const part = partOf(source, view)
  const detail = useMetrics(runId, { from: part?.[0] ?? 0, to: part?.[1] ?? 0, points: PART_POINTS }, part !== null)
  const [from, to] = part ?? [null, null]
  useEffect(() => {
    if (from === null) source.takePart(null)
    else if (detail.data) source.takePart(detail.data, { from, to })
  }, [detail.data, from, to, source])
  return null
}

/** Steps to load in finer buckets: the visible range of a run that was loaded in coarse ones. */
function partOf(source: CurveSource, view: View): [number, number] | null {
  if (!view.range || !source.coarse || !source.whole) return null
  const longest = [...source.whole.series.values()].reduce((best, one) => (one.size > best.size ? one : best))
  return stepsOf(longest, view.axis.id, view.range)
}

const useMetrics = (id: string, asked: Asked, enabled: boolean) =>
  useQuery({
    queryKey: runKeys.metrics(id, asked),
    queryFn: async ({ signal }): Promise<MetricSeries[]> => {
      const { names } = await api.getRunMetrics({ params: { id }, query: { points: 10 }, signal })
      if (names.length === 0) return []
      return (await api.getRunMetrics({ params: { id }, query: { names, ...asked }, signal })).series
    },
    enabled,
    // what came by message while the page was away is in no cache
    refetchOnMount: 'always',
    gcTime: 0,
    structuralSharing: false,
  })
