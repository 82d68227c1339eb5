import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react'
import type { ArchiveFinding } from '#contracts/entities/privacy.ts'
import type { TimelineRow } from '#contracts/entities/step.ts'
import type { Subagent } from '#contracts/entities/trace.ts'
import { ErrorState } from '#renderer/ui/states.tsx'
import { useBodies } from '../queries.ts'
import { depthOf, estimateHeight, isCall, lastTexts, pageOf, pagesAround, placeOf } from './rows.ts'
import { useSecrets } from './secrets.ts'
import { type TaintLines, TaintNotes, TaintRail } from './taint.tsx'
import { Item } from './transcript-item.tsx'
import { turnLabel, type TurnIndex } from './turns.ts'

type Align = 'auto' | 'start' | 'center' | 'end'

export interface TranscriptHandle {
  /** Brings a row of the timeline into view. */
  show: (index: number, align?: Align) => void
  focus: () => void
}

interface Props {
  traceId: string
  rows: readonly TimelineRow[]
  /** Indices of the rows to draw. */
  visible: readonly number[]
  turns: TurnIndex
  selected: number
  collapsed: boolean
  live: boolean
  follow: boolean
  /** Called with false when the user scrolls away from the end. */
  onFollow: (follow: boolean) => void
  subagents: ReadonlyMap<string, Subagent>
  /** Words searched for in this session; '' if none. */
  words: string
  foldedAgents: ReadonlySet<string>
  onFoldAgent: (agent: string) => void
  onSelect: (id: string) => void
  taint: TaintLines
  onStep: (id: string) => void
  /** Content above a row, such as the start of a task. */
  above: (index: number) => ReactNode
  ref: Ref<TranscriptHandle>
}

/** Keys that scroll away from the end. */
const UPWARDS: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home', 'k'])

/** Home and End act on the nearest of these around the focus; a button in a row does not use them. */
const HANDLES_HOME_AND_END = '[role=region], [role=dialog], [role=menu], input, textarea, select'

const NO_ANSWERS: ReadonlyMap<string, number> = new Map()
const NO_SECRETS: readonly ArchiveFinding[] = []

/** The page of a session: only the rows in view exist, and only their pages of bodies are read. */
export function Transcript(props: Props) {
  const {
    traceId,
    rows,
    visible,
    turns,
    selected,
    collapsed,
    live,
    follow,
    onFollow,
    subagents,
    words,
    foldedAgents,
    onFoldAgent,
    onSelect,
    taint,
    onStep,
    above,
    ref,
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  const heights = useMemo(() => Float32Array.from(visible, (index) => estimateHeight(rows[index]!, collapsed)), [rows, visible, collapsed])
  const virtualizer = useVirtualizer({
    count: visible.length,
    getScrollElement: () => scroller.current,
    estimateSize: (place) => heights[place] ?? 40,
    // a new function would make the virtualizer lay out every row of a long session again
    getItemKey: useCallback((place: number) => rows[visible[place] ?? -1]?.id ?? place, [rows, visible]),
    overscan: 6,
    initialRect: { width: 800, height: 600 },
  })
  const items = virtualizer.getVirtualItems()
  const inView = items.map((item) => visible[item.index] ?? 0)
  const secrets = useSecrets(traceId)
  const answers = useMemo(() => (subagents.size === 0 ? NO_ANSWERS : lastTexts(rows)), [rows, subagents])
  const answerTo = (index: number) => answers.get(subagents.get(rows[index]?.id ?? '')?.id ?? '')
  const pages = useMemo(
    () => [...new Set([...pagesAround(inView, rows.length), ...inView.flatMap((index) => answerTo(index) ?? []).map(pageOf)])],
    [inView.join(','), rows.length, answers], // oxlint-disable-line react-hooks/exhaustive-deps -- the indices by value: a new array each time
  )
  const bodies = useBodies(traceId, rows, pages)

  /** The row that was scrolled to. It stays in view until the rows around it are loaded and measured, or the user scrolls. */
  const pinned = useRef<{ index: number; align: Align } | null>(null)
  const isRead = inView.every((index) => rows[index] && bodies.get(rows[index].id) !== undefined)
  const isSettled = useRef(isRead)
  useLayoutEffect(() => {
    isSettled.current = isRead
  })
  /** Unpins the row once a frame has measured everything and nothing is loading. */
  const unpinWhenSettled = useCallback(() => {
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (isSettled.current) pinned.current = null
      }),
    )
  }, [])
  const scrollTo = useCallback(
    ({ index, align }: { index: number; align: Align }) => {
      if (visible.length === 0) return
      const place = placeOf(visible, index)
      const { size = 0 } = virtualizer.measurementsCache[place] ?? {}
      // centring an element taller than the window would hide its top
      const isTall = align === 'center' && size > (virtualizer.scrollRect?.height ?? 0)
      virtualizer.scrollToIndex(place, { align: isTall ? 'start' : align })
    },
    [virtualizer, visible],
  )
  const show = useCallback(
    (index: number, align: Align = 'center') => {
      scrollTo((pinned.current = { index, align }))
      unpinWhenSettled()
    },
    [scrollTo, unpinWhenSettled],
  )
  useImperativeHandle(ref, () => ({ show, focus: () => scroller.current?.focus({ preventScroll: true }) }), [show])

  const last = visible.length - 1
  // rows that were just measured move the end as well
  const height = virtualizer.getTotalSize()
  useEffect(() => {
    if (live && follow && last >= 0) virtualizer.scrollToIndex(last, { align: 'end' })
    else if (pinned.current) {
      scrollTo(pinned.current)
      unpinWhenSettled()
    }
  }, [live, follow, last, height, virtualizer, scrollTo, isRead, unpinWhenSettled])

  // only the user's actions stop following, because measuring rows scrolls, too
  const stopFollowing = () => {
    if (live && follow) onFollow(false)
  }
  const unpin = () => {
    pinned.current = null
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (UPWARDS.has(event.key)) stopFollowing()
    // the browser would scroll to the estimated end, which is wrong once the rows there are measured
    const isEnd = event.key === 'End'
    if ((!isEnd && event.key !== 'Home') || (event.target as Element).closest(HANDLES_HOME_AND_END) !== event.currentTarget || last < 0)
      return
    if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    show(visible[isEnd ? last : 0]!, isEnd ? 'end' : 'start')
  }

  return (
    // the listeners of this scrolling region only notice that the user leaves the end
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={scroller}
      data-zone="transcript"
      role="region"
      aria-label="Transcript"
      tabIndex={0}
      onWheelCapture={unpin}
      onPointerDownCapture={unpin}
      onKeyDownCapture={unpin}
      onWheel={(event) => event.deltaY < 0 && stopFollowing()}
      onPointerDown={(event) => event.target === event.currentTarget && stopFollowing()}
      onKeyDown={onKeyDown}
      className="focus-inset relative min-h-0 flex-1 overflow-auto overscroll-contain"
      style={{ overflowAnchor: 'none' }}
    >
      {bodies.error ? (
        <ErrorState title="A part of the transcript could not be read" error={bodies.error} retry={bodies.retry} className="m-4" />
      ) : null}
      <div role="list" className="relative w-full" style={{ height }}>
        {items.map((item) => {
          const index = visible[item.index] ?? 0
          const row = rows[index]
          if (!row) return null
          const subagent = isCall(row) ? (subagents.get(row.id) ?? null) : null
          return (
            <div
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              role="listitem"
              aria-posinset={item.index + 1}
              aria-setsize={visible.length}
              aria-current={index === selected || undefined}
              className="absolute top-0 left-0 w-full"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {above(index)}
              <Item
                traceId={traceId}
                row={row}
                item={bodies.get(row.id)}
                depth={depthOf(row)}
                live={live}
                collapsed={collapsed}
                selected={index === selected}
                turn={turnLabel(turns, index)}
                subagent={subagent}
                answer={bodies.get(rows[answerTo(index) ?? -1]?.id ?? '')}
                words={words}
                secrets={secrets.get(row.id) ?? NO_SECRETS}
                agentFolded={subagent !== null && foldedAgents.has(subagent.id)}
                onFoldAgent={onFoldAgent}
                onSelect={onSelect}
              />
              <TaintRail spans={taint.spans} index={index} />
              <TaintNotes notes={taint.at.get(row.id)} inset={16 + depthOf(row) * 20} onStep={onStep} />
            </div>
          )
        })}
      </div>
    </div>
  )
}
