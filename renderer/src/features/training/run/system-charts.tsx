import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Run, SystemPoint } from '#contracts/entities/run.ts'
import { api } from '#renderer/api/client.ts'
import { coalesce } from '#renderer/api/coalesce.ts'
import { runKeys } from '#renderer/api/runs.ts'
import { onMessage } from '#renderer/api/socket.ts'
import { TRAINING_TIME } from '../charts/axes.ts'
import { Chart } from '#renderer/ui/curves/chart.tsx'
import { seriesInk } from '#renderer/ui/curves/ink.ts'
import { Series } from '#renderer/ui/curves/series.ts'
import { wordsUnder } from './health-words.ts'
import { useZoom } from '#renderer/ui/curves/use-zoom.ts'
import type { Span, View } from '#renderer/ui/curves/view.ts'

interface Figure {
  label: string
  pick: (point: SystemPoint) => number | null
}
const gigabytes = (value: number | null) => (value === null ? null : value / 1000)
const PANELS: readonly { id: string; title: string; unit: string; figures: readonly Figure[] }[] = [
  {
    id: 'cpu',
    title: 'CPU',
    unit: '% of one core, trainer and its child processes',
    figures: [{ label: 'CPU', pick: (point) => point.cpuPercent }],
  },
  {
    id: 'memory',
    title: 'Memory',
    unit: 'GB',
    figures: [
      { label: 'trainer', pick: (point) => gigabytes(point.rssMb) },
      { label: 'used by all processes', pick: (point) => gigabytes(point.ramUsedMb) },
      { label: 'installed', pick: (point) => gigabytes(point.ramTotalMb) },
    ],
  },
  { id: 'gpu', title: 'GPU', unit: '% busy', figures: [{ label: 'GPU', pick: (point) => point.gpuPercent }] },
  {
    id: 'vram',
    title: 'GPU memory',
    unit: 'GB',
    figures: [
      { label: 'used', pick: (point) => gigabytes(point.vramMb) },
      { label: 'all', pick: (point) => gigabytes(point.vramTotalMb) },
    ],
  },
  { id: 'temperature', title: 'GPU temperature', unit: '°C', figures: [{ label: 'temperature', pick: (point) => point.temperatureC }] },
  { id: 'power', title: 'GPU power', unit: 'W', figures: [{ label: 'power', pick: (point) => point.powerW }] },
]
const VIEW: View = { axis: TRAINING_TIME, log: false, smoothing: 0, clip: null, range: null, window: null }
/** System figures are reloaded at most this often, and only after a message of the run. */
const RELOAD_MS = 5000

/** CPU, memory and GPU during the run. Charts without a measurement, such as those of a missing GPU, are not drawn. */
export function SystemCharts({ run }: { run: Run }) {
  const { id, name, health } = run
  const points = useSystem(id)
  const [range, setRange] = useState<Span | null>(null)
  const view = useMemo(() => ({ ...VIEW, range }), [range])
  const panels = useMemo(
    () =>
      PANELS.flatMap((panel) => {
        const lines = panel.figures.flatMap((figure, at) => {
          const series = seriesOf(points, figure.pick)
          return series
            ? [
                {
                  id: figure.label,
                  label: figure.label,
                  ink: seriesInk(at),
                  dash: [],
                  series,
                  look: 'line' as const,
                  count: series.size,
                  broken: [],
                },
              ]
            : []
        })
        return lines.length > 0 ? [{ panel, lines }] : []
      }),
    [points],
  )
  const allSeries = useMemo(() => panels.flatMap(({ lines }) => lines.map(({ series }) => series)), [panels])
  const getSeries = useCallback(() => allSeries, [allSeries])
  const { spanNow, onZoom } = useZoom(view, { shown: getSeries, whole: getSeries, onRange: setRange })
  const panelIds = panels.map(({ panel }) => panel.id)
  return panels.map(({ panel, lines }) => (
    <Chart
      key={panel.id}
      title={panel.title}
      unit={panel.unit}
      file={`${name}-${panel.id}`}
      lines={lines}
      view={view}
      spanOf={spanNow}
      markers={NONE}
      warning={wordsUnder(panel.id, panelIds, health)}
      onGrow={NEVER}
      onRange={setRange}
      onZoom={onZoom}
    />
  ))
}

const NONE = [] as const
const NEVER = () => () => undefined

function seriesOf(points: readonly SystemPoint[], pick: Figure['pick']): Series | null {
  const series = new Series()
  let isMeasured = false
  points.forEach((point, at) => {
    const value = pick(point)
    isMeasured ||= value !== null
    series.push({ step: at + 1, time: point.seconds }, value ?? Number.NaN)
  })
  return isMeasured ? series : null
}

function useSystem(id: string): readonly SystemPoint[] {
  const queries = useQueryClient()
  const system = useQuery({
    queryKey: runKeys.system(id),
    queryFn: ({ signal }) => api.getRunSystem({ params: { id }, query: { points: 500 }, signal }),
    refetchOnMount: 'always',
  })
  useEffect(() => {
    const reload = coalesce(() => void queries.invalidateQueries({ queryKey: runKeys.system(id) }), RELOAD_MS)
    return onMessage('training:progress', ({ runId }) => {
      if (runId === id) reload()
    })
  }, [id, queries])
  return system.data?.items ?? NO_POINTS
}
const NO_POINTS: readonly SystemPoint[] = []
