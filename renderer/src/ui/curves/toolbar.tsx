import { ChevronLeft, ChevronRight, Pause, Play, RotateCcw, ZoomIn, ZoomOut } from 'lucide-react'
import { useId } from 'react'
import { Button, IconButton } from '../button.tsx'
import { Select } from '../select.tsx'
import { Slider } from '../slider.tsx'
import { Switch } from '../switch.tsx'
import type { Axes } from './axis.ts'
import { CLIPS, SMOOTHING } from './use-view.ts'
import type { View } from './view.ts'

const WINDOWS = [100, 1000, 10_000]

/** Controls the view of all curves of the page. */
export function ChartToolbar({
  axes,
  view,
  keys,
  onView,
  onZoom,
  paused,
  onPause,
}: {
  axes: Axes
  view: View
  /** Keys that do the same. */
  keys: { smoothing: string; logScale: string }
  onView: (part: Partial<View>) => void
  onZoom: (change: { factor?: number; shift?: number }) => void
  paused: boolean
  /** Null if no curve grows. */
  onPause: (() => void) | null
}) {
  const id = useId()
  return (
    <div role="toolbar" aria-label="Chart options" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-second">
      <label className="flex items-center gap-1.5" htmlFor={`${id}-x`}>
        X axis
        <Select
          id={`${id}-x`}
          className="h-7! min-w-24! text-xs!"
          value={view.axis.id}
          options={axes.map(({ id: value, label }) => ({ value, label }))}
          onChange={(value) => onView({ axis: axes.find(({ id: known }) => known === value) ?? axes[0] })}
        />
      </label>
      <span className="flex items-center gap-1.5" title={`Smoothing on or off: ${keys.smoothing}`}>
        Smoothing
        <Slider
          label="Smoothing"
          value={view.smoothing}
          min={0}
          max={SMOOTHING.most}
          step={SMOOTHING.step}
          text={view.smoothing.toFixed(2)}
          onChange={(smoothing) => onView({ smoothing })}
        />
        <span className="w-8 font-mono text-text">{view.smoothing.toFixed(2)}</span>
      </span>
      <span className="flex items-center gap-1.5" title={`Logarithmic or linear: ${keys.logScale}`}>
        <label htmlFor={`${id}-log`}>Log scale</label>
        <Switch id={`${id}-log`} checked={view.log} onChange={(log) => onView({ log })} />
      </span>
      <label className="flex items-center gap-1.5" htmlFor={`${id}-clip`}>
        Clip
        <Select
          id={`${id}-clip`}
          className="h-7! min-w-20! text-xs!"
          value={String(view.clip ?? 'none')}
          options={[
            { value: 'none', label: 'None' },
            ...CLIPS.toReversed().map((share) => ({ value: String(share), label: `P${share * 100}` })),
          ]}
          onChange={(clip) => onView({ clip: clip === 'none' ? null : Number(clip) })}
        />
      </label>
      <label className="flex items-center gap-1.5" htmlFor={`${id}-window`}>
        Steps
        <Select
          id={`${id}-window`}
          className="h-7! min-w-24! text-xs!"
          value={String(view.window ?? 'all')}
          options={[
            { value: 'all', label: 'All' },
            ...[...new Set([...WINDOWS, ...(view.window === null ? [] : [view.window])])].map((steps) => ({
              value: String(steps),
              label: `Last ${steps.toLocaleString('en')}`,
            })),
          ]}
          onChange={(window) => onView({ window: window === 'all' ? null : Number(window) })}
        />
      </label>
      <span role="group" aria-label="Zoom" className="flex items-center">
        <IconButton size="small" icon={ChevronLeft} label="Pan left" onClick={() => onZoom({ shift: -0.25 })} />
        <IconButton size="small" icon={ZoomIn} label="Zoom in" keys="+" onClick={() => onZoom({ factor: 0.5 })} />
        <IconButton size="small" icon={ZoomOut} label="Zoom out" keys="-" onClick={() => onZoom({ factor: 2 })} />
        <IconButton size="small" icon={ChevronRight} label="Pan right" onClick={() => onZoom({ shift: 0.25 })} />
        <IconButton
          size="small"
          icon={RotateCcw}
          label="Show all"
          keys="0"
          reason={view.range || view.window ? null : 'The whole range is shown.'}
          onClick={() => onView({ range: null, window: null })}
        />
      </span>
      {onPause ? (
        <Button size="small" icon={paused ? Play : Pause} aria-pressed={paused} onClick={onPause}>
          {paused ? 'Resume chart' : 'Pause chart'}
        </Button>
      ) : null}
    </div>
  )
}
