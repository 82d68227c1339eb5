import { useState, type PointerEvent } from 'react'
import { cn } from '#renderer/ui/cn.ts'
import { plural } from '#renderer/ui/format.ts'
import { isOwn, reasonOf, selectSpaced } from './cuts.ts'
import type { Tasks } from './use-tasks.ts'

const HEIGHT = 14
/** A task narrower than this is drawn without its number. */
const NUMBER_PX = 18
/** Boundaries closer than this are drawn as one; zooming in shows each. */
const GAP_PX = 8
/** With less space than this for each boundary, the lane of a long session is crowded. */
const CROWDED_PX = 40

export interface LanePlace {
  width: number
  /** Pixels from the left at which a row begins; may be outside the lane. */
  x: (row: number) => number
  /** The row at a share of the width. */
  rowAt: (share: number) => number
  /** Rows are too narrow to be told apart. */
  isDense: boolean
}

/**
 * The tasks above the timeline, with boundaries that can be dragged. It is only for the pointer: keys and screen readers
 * have the same boundaries in the transcript.
 */
export function TaskLane({ tasks, place, onSelect }: { tasks: Tasks; place: LanePlace; onSelect: (row: number) => void }) {
  const [drag, setDrag] = useState<{ segment: number; clientX: number; left: number } | null>(null)
  const { segments, starts } = tasks.tasks
  const clamp = (x: number) => Math.min(place.width, Math.max(0, x))
  const edges = segments.map((_, segment) => (segment === 0 ? Math.min(0, place.x(0)) : place.x(starts[segment] ?? 0)))
  const selected = selectSpaced(edges, (index) => isOwn(segments[index]!), place.width, GAP_PX)
  // a fence of marks says nothing: only boundaries that the user set are drawn until a part is zoomed into
  const isCrowded = place.isDense && selected.length * CROWDED_PX > place.width
  const shown = isCrowded ? selected.filter((index) => isOwn(segments[index]!)) : selected
  const finish = () => {
    if (drag) tasks.moveTo(drag.segment, place.rowAt(clamp(drag.clientX - drag.left) / Math.max(place.width, 1)))
    setDrag(null)
  }
  return (
    <div aria-hidden data-zone="tasks" className="relative" style={{ height: HEIGHT }}>
      {isCrowded ? (
        <p className="truncate text-xs leading-[14px] text-second">{plural(segments.length, 'task')} · zoom in to see where each starts</p>
      ) : null}
      {(isCrowded ? [] : segments).map((segment, index) => {
        const from = clamp(edges[index]!)
        const to = index + 1 < segments.length ? clamp(edges[index + 1]!) : place.width
        if (to - from < 1) return null
        return (
          // selection by click; the keys { and } do the same
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
          <div
            key={segment.id}
            title={`Task ${index + 1} of ${segments.length}, ${plural(segment.steps, 'step')}. ${reasonOf(segment)}`}
            onClick={() => onSelect(starts[index] ?? 0)}
            className={cn(
              'absolute inset-y-0 cursor-pointer overflow-hidden rounded-sm border border-line text-center font-mono text-xs leading-3 text-second',
              index % 2 === 0 ? 'bg-raised' : 'bg-panel',
            )}
            style={{ left: from, width: to - from }}
          >
            {to - from >= NUMBER_PX ? index + 1 : ''}
          </div>
        )
      })}
      {shown.map((index) => {
        const segment = segments[index]!
        const x = edges[index]!
        const isUserCut = isOwn(segment)
        const isDragged = drag?.segment === index
        return (
          <span
            key={segment.id}
            data-boundary={index}
            title={`${reasonOf(segment)}. Drag to move where the task starts.`}
            onPointerDown={(event: PointerEvent<HTMLSpanElement>) => {
              event.currentTarget.setPointerCapture(event.pointerId)
              setDrag({ segment: index, clientX: event.clientX, left: event.clientX - x })
            }}
            onPointerMove={(event) => isDragged && setDrag({ ...drag, clientX: event.clientX })}
            onPointerUp={finish}
            onPointerCancel={() => setDrag(null)}
            className="absolute top-0 z-10 h-[50px] w-3 -translate-x-1.5 cursor-ew-resize touch-none"
            style={{ left: isDragged ? clamp(drag.clientX - drag.left) : x }}
          >
            <span
              className={cn(
                'absolute inset-y-0 left-[5px] border-l-2',
                isUserCut ? 'border-accent' : 'border-dashed border-text',
                isDragged && 'border-accent',
              )}
            />
            <span className={cn('absolute top-0 left-0.5 size-2 rotate-45', isUserCut ? 'bg-accent' : 'border border-text bg-bg')} />
          </span>
        )
      })}
    </div>
  )
}
