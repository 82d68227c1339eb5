import { Maximize2, ScanSearch, ZoomIn, ZoomOut } from 'lucide-react'
import { useMemo, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import type { TimelineRow } from '#contracts/entities/step.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { formatDuration, formatInstant, plural } from '#renderer/ui/format.ts'
import { useWidth } from '#renderer/ui/use-width.ts'
import { visible } from '#renderer/ui/visible.tsx'
import type { LanePlace } from './segments/task-lane.tsx'
import {
  pixelRuns,
  rowAt,
  rowsIn,
  shareAt,
  sumByKind,
  wholeOf,
  zoomAround,
  zoomTo,
  type SpanKind,
  type Strip,
  type Window,
} from './timeline-geometry.ts'
import { heatOf, isDense, type Heat } from './timeline-heat.ts'
import { turnLabel, type TurnIndex } from './turns.ts'

const HEIGHT = 36
const BAND = { top: 10, height: 16 }
const FILL: Record<SpanKind, string> = {
  model: 'var(--series-1)',
  tool: 'var(--series-2)',
  subagent: 'var(--series-3)',
  waiting: 'url(#waiting)',
}
const WORD: Record<SpanKind, string> = { model: 'Model', tool: 'Tools', subagent: 'Sub-agents', waiting: 'Waiting for you' }
const KINDS: readonly SpanKind[] = ['model', 'tool', 'subagent', 'waiting']

interface Props {
  rows: readonly TimelineRow[]
  strip: Strip
  turns: TurnIndex
  selected: number
  view: Window | null
  onSelect: (index: number) => void
  /** Zooms into a part of the session; null shows all of it. */
  onView: (view: Window | null) => void
  /** Shown above the strip, on its scale. */
  lane: (place: LanePlace) => ReactNode
}

/** The session as one line: who used the time, and where calls failed. A drag or the buttons zoom into a part. */
export function TimelineStrip({ rows, strip, turns, selected, view, onSelect, onView, lane }: Props) {
  const area = useRef<HTMLDivElement>(null)
  const width = useWidth(area)
  const window = view ?? wholeOf(strip)
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null)
  const heat = useMemo(() => heatOf(strip, view ?? wholeOf(strip), width), [strip, view, width])
  const runs = useMemo(
    () => (width > 0 && heat === null ? pixelRuns(strip, view ?? wholeOf(strip), width) : []),
    [strip, view, width, heat],
  )
  const errors = useMemo(() => (heat ? errorCells(heat) : ticks(strip, view ?? wholeOf(strip), width)), [strip, view, width, heat])
  const sums = useMemo(() => sumByKind(strip), [strip])

  const shareOf = (event: PointerEvent) => {
    const box = area.current?.getBoundingClientRect()
    return box && box.width > 0 ? Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) : 0
  }
  const finish = (event: PointerEvent) => {
    if (!drag) return
    setDrag(null)
    const zoomed = zoomTo(window, drag.from, shareOf(event), width)
    if (zoomed && rowsIn(strip, zoomed)) onView(zoomed)
    else onSelect(rowAt(strip, window, shareOf(event)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const target = keyTarget(event.key, selected, rows.length, turns)
    if (target !== null) onSelect(target)
    else if (event.key === '+' || event.key === '=') onView(zoomAround(strip, window, selected, 0.5))
    else if (event.key === '-') onView(zoomOut(strip, window, selected))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const turn = turns.of[selected] ?? 0
  const turnView = (): Window => {
    const first = turns.starts[turn - 1] ?? 0
    const next = turns.starts[turn]
    return {
      from: strip.at[first] ?? 0,
      to: next === undefined ? strip.length : Math.max((strip.at[next] ?? 0) - 1, (strip.at[first] ?? 0) + 1),
    }
  }
  const x = (index: number) => shareAt(window, strip.at[index] ?? 0) * width

  return (
    <section aria-label="Timeline" className="border-b border-line px-4 pt-2 pb-1">
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          {lane({ width, x, isDense: isDense(strip, window, width), rowAt: (at) => rowAt(strip, window, at) })}
          <div
            ref={area}
            role="slider"
            tabIndex={0}
            aria-label="Position in the session"
            aria-valuemin={1}
            aria-valuemax={Math.max(rows.length, 1)}
            aria-valuenow={selected + 1}
            aria-valuetext={describeRow(rows[selected], turnLabel(turns, selected))}
            onKeyDown={onKeyDown}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId)
              setDrag({ from: shareOf(event), to: shareOf(event) })
            }}
            onPointerMove={(event) => drag && setDrag({ ...drag, to: shareOf(event) })}
            onPointerUp={finish}
            onPointerCancel={() => setDrag(null)}
            className="relative cursor-crosshair touch-none rounded-sm select-none"
            style={{ height: HEIGHT }}
          >
            <svg width={width} height={HEIGHT} aria-hidden className="absolute inset-0 block overflow-visible">
              <defs>
                <pattern id="waiting" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                  <rect width="6" height="6" fill="var(--raised)" />
                  <line x1="0" y1="0" x2="0" y2="6" stroke="var(--edge)" strokeWidth="1.5" />
                </pattern>
              </defs>
              <rect x={0} y={BAND.top} width={width} height={BAND.height} fill="var(--raised)" />
              {heat ? <HeatBand heat={heat} rows={rows} /> : null}
              {KINDS.map((kind) => (
                <path
                  key={kind}
                  fill={FILL[kind]}
                  d={runs
                    .filter((run) => run.kind === kind)
                    .map((run) => `M${run.from} ${BAND.top}H${run.to}V${BAND.top + BAND.height}H${run.from}Z`)
                    .join('')}
                />
              ))}
              <path d={errors.map((at) => `M${at} ${BAND.top + BAND.height + 2}v6`).join('')} stroke="var(--bad)" strokeWidth="2" />
              {drag ? (
                <rect
                  x={Math.min(drag.from, drag.to) * width}
                  y={2}
                  width={Math.abs(drag.to - drag.from) * width}
                  height={HEIGHT - 4}
                  fill="var(--accent)"
                  fillOpacity={0.25}
                  stroke="var(--accent)"
                />
              ) : null}
              {selected >= 0 && x(selected) >= 0 && x(selected) <= width ? (
                <path
                  d={`M${x(selected)} 1V${HEIGHT - 2}m-4 ${3 - HEIGHT}h8l-4 5z`}
                  fill="var(--text)"
                  stroke="var(--text)"
                  strokeWidth="1.5"
                />
              ) : null}
            </svg>
          </div>
        </div>
        <IconButton
          size="small"
          icon={ScanSearch}
          label="Show this turn only"
          reason={turn === 0 ? 'There is no turn before the first prompt.' : null}
          onClick={() => onView(turnView())}
        />
        <IconButton size="small" icon={ZoomIn} label="Zoom in" onClick={() => onView(zoomAround(strip, window, selected, 0.5))} />
        <IconButton
          size="small"
          icon={ZoomOut}
          label="Zoom out"
          reason={view === null ? 'The whole session is shown.' : null}
          onClick={() => onView(zoomOut(strip, window, selected))}
        />
        <IconButton
          size="small"
          icon={Maximize2}
          label="Show whole session"
          reason={view === null ? 'The whole session is shown.' : null}
          onClick={() => onView(null)}
        />
      </div>
      <p className="flex flex-wrap items-center gap-x-3 text-xs text-second">
        {heat ? <HeatLegend heat={heat} /> : null}
        {KINDS.filter((kind) => sums[kind] > 0).map((kind) => (
          <span key={kind} className="flex items-center gap-1.5 whitespace-nowrap">
            {heat ? null : (
              <svg width="10" height="10" aria-hidden>
                <rect width="10" height="10" rx="2" fill={FILL[kind]} />
              </svg>
            )}
            {WORD[kind]} {strip.scale === 'time' ? formatDuration(sums[kind]) : plural(sums[kind], 'item')}
          </span>
        ))}
        {strip.errors.length > 0 ? (
          <span className="flex items-center gap-1.5 whitespace-nowrap">
            <svg width="4" height="10" aria-hidden>
              <rect width="2" height="10" fill="var(--bad)" />
            </svg>
            {plural(strip.errors.length, 'error')}
          </span>
        ) : null}
        {strip.scale === 'order' ? <span>This session has no times, so each item takes one unit.</span> : null}
        {strip.shortenedMs > 0 ? <span>Pauses over 5 min are shortened to 5 min</span> : null}
      </p>
    </section>
  )
}

const heatFill = (share: number) => `color-mix(in srgb, var(--series-1) ${Math.round(20 + 80 * share)}%, var(--raised))`

/** How many steps each minute has. */
const HeatBand = ({ heat: { cells, most }, rows }: { heat: Heat; rows: readonly TimelineRow[] }) =>
  cells.map(({ from, to, count, errors, index }) => (
    <rect
      key={from}
      data-heat={count}
      x={from}
      y={BAND.top}
      width={Math.max(1, to - from - 0.5)}
      height={BAND.height}
      fill={heatFill(count / most)}
    >
      <title>
        {[formatInstant(rows[index]?.at ?? ''), plural(count, 'item'), errors > 0 ? plural(errors, 'error') : null]
          .filter(Boolean)
          .join(', ')}
      </title>
    </rect>
  ))

const SCALE = [0.1, 0.4, 0.7, 1]

const HeatLegend = ({ heat: { minutes, most } }: { heat: Heat }) => (
  <span className="flex items-center gap-1.5 whitespace-nowrap">
    Items per {minutes === 1 ? 'minute' : `${minutes} min`}: 1
    <svg width="40" height="10" aria-hidden>
      {SCALE.map((share, index) => (
        <rect key={share} x={index * 10} width="10" height="10" fill={heatFill(share)} />
      ))}
    </svg>
    {most}
  </span>
)

const errorCells = ({ cells }: Heat): number[] => cells.flatMap(({ from, to, errors }) => (errors > 0 ? [(from + to) / 2] : []))

/** Null once the whole session is visible. */
function zoomOut(strip: Strip, window: Window, selected: number): Window | null {
  const wide = zoomAround(strip, window, selected, 2)
  return wide.to - wide.from >= strip.length - 1e-6 ? null : wide
}

/** One tick per pixel, even if several errors share it. */
function ticks(strip: Strip, window: Window, width: number): number[] {
  const pixels = new Set<number>()
  for (const index of strip.errors) {
    const at = Math.round(shareAt(window, strip.at[index] ?? 0) * width)
    if (at >= 0 && at <= width) pixels.add(at)
  }
  return [...pixels]
}

function keyTarget(key: string, selected: number, count: number, turns: TurnIndex): number | null {
  const turn = turns.of[selected] ?? 0
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, selected - 1)
    case 'ArrowRight':
      return Math.min(count - 1, selected + 1)
    case 'PageUp':
      return turns.starts[Math.max(0, turn - (turns.starts[turn - 1] === selected ? 2 : 1))] ?? 0
    case 'PageDown':
      return turns.starts[turn] ?? count - 1
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

function describeRow(row: TimelineRow | undefined, turn: string | null): string {
  if (!row) return 'nothing'
  const outcome = row.success === false ? 'failed' : null
  return [turn, row.tool ?? row.kind, visible(row.label?.slice(0, 80) ?? ''), outcome].filter(Boolean).join(', ')
}
