import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { GuardTaint } from '#contracts/entities/guardrail.ts'
import type { TimelineRow } from '#contracts/entities/step.ts'
import type { TraceDetail } from '#contracts/entities/trace.ts'
import { AppError } from '#contracts/errors.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { Handle, Pane, Split } from '#renderer/ui/splitter.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import { toast } from '#renderer/ui/toast.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { useTaint } from '#renderer/api/guardrails.ts'
import { useTrace } from '#renderer/api/traces.ts'
import { Facts } from '../facts/facts.tsx'
import { useFirstRows, useGrowth, useTimeline } from '../queries.ts'
import type { OpenTab, TracesUrl } from '../url-state.ts'
import type { ChangeUrl } from '../use-url.ts'
import { HitLines } from './hit-lines.tsx'
import { NotHere } from './not-here.tsx'
import { RawView } from './raw-view.tsx'
import { withDescendants, indexRows, lineageOf, parentsOf, READ_ALL, visibleRows, type Reading } from './rows.ts'
import { taskAt } from './segments/cuts.ts'
import { TaskBar } from './segments/task-bar.tsx'
import { TaskDivider } from './segments/task-divider.tsx'
import { TaskLane } from './segments/task-lane.tsx'
import { useTasks } from './segments/use-tasks.ts'
import { SessionDiff } from './session-diff.tsx'
import { layoutStrip, rowsIn, type Window } from './timeline-geometry.ts'
import { taintLines } from './taint.tsx'
import { TimelineStrip } from './timeline-strip.tsx'
import { TraceHeader } from './trace-header.tsx'
import { PlaceBar, ReadingBar, type ToolbarProps } from './trace-toolbar.tsx'
import { Transcript, type TranscriptHandle } from './transcript.tsx'
import { indexTurns, nextError, turnLabel } from './turns.ts'
import { useTraceSearch } from './use-trace-search.ts'

interface Props {
  id: string
  url: TracesUrl
  onChange: ChangeUrl
  onClose: () => void
  /** Words of the list's filter: the session opens on their first hit. */
  words: string
  /** There is no width for a facts column, so the facts are a tab. */
  narrow: boolean
}

const NO_ROWS: readonly TimelineRow[] = []
const NO_TAINT: readonly GuardTaint[] = []

/** One session next to the list: its header, its timeline, its transcript. */
export function TracePane(props: Props) {
  const trace = useTrace(props.id)
  const taint = useTaint(props.id)
  // the first page is requested first, because listing all rows of a long session takes the server much longer
  const atStart = props.url.item === null && props.words === ''
  const [startsAtFirst] = useState(atStart)
  const first = useFirstRows(props.id, startsAtFirst)
  const timeline = useTimeline(props.id, !startsAtFirst || !first.isPending)
  const rows = timeline.data?.rows ?? first.data
  useGrowth(props.id)
  if (trace.error instanceof AppError && trace.error.code === 'trace_not_found')
    return <NotHere id={props.id} onClose={props.onClose} onRetry={() => void trace.refetch()} />
  if (trace.error)
    return (
      <ErrorState
        title="Couldn't open the session"
        error={trace.error}
        retry={() => void trace.refetch()}
        action={<Button onClick={props.onClose}>Close</Button>}
        className="m-4"
      />
    )
  if (!trace.data) return <PaneSkeleton facts={!props.narrow} />
  return (
    <section aria-label={trace.data.title ?? 'Session'} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <TraceHeader trace={trace.data} narrow={props.narrow} onClose={props.onClose} />
      {timeline.error ? (
        <ErrorState title="Couldn't load the steps" error={timeline.error} retry={() => void timeline.refetch()} className="m-4" />
      ) : rows && !taint.isLoading ? (
        <Body {...props} trace={trace.data} rows={rows} isComplete={timeline.data !== undefined} taint={taint.data?.items ?? NO_TAINT} />
      ) : (
        <PaneSkeleton facts={!props.narrow} />
      )}
    </section>
  )
}

function Body({
  id,
  url,
  onChange,
  words: listWords,
  narrow,
  trace,
  rows,
  isComplete,
  taint,
}: Props & { trace: TraceDetail; rows: readonly TimelineRow[]; isComplete: boolean; taint: readonly GuardTaint[] }) {
  const transcript = useRef<TranscriptHandle>(null)
  const field = useRef<HTMLInputElement>(null)
  const [reading, setReading] = useState<Reading>(READ_ALL)
  const [view, setView] = useState<Window | null>(null)
  const [follow, setFollow] = useState(url.item === null && listWords === '')
  const [words, setWords] = useState(listWords)
  const live = trace.state === 'live'
  const strip = useMemo(() => layoutStrip(rows), [rows])
  // "turn 1/87" needs all rows
  const turns = useMemo(() => indexTurns(isComplete ? rows : NO_ROWS), [rows, isComplete])
  const indexById = useMemo(() => indexRows(rows), [rows])
  const lines = useMemo(() => taintLines(taint, (stepId) => indexById.get(stepId)), [taint, indexById])
  const parents = useMemo(
    () => parentsOf(trace.subagents, (stepId) => rows[indexById.get(stepId) ?? -1]?.agent),
    [trace.subagents, rows, indexById],
  )
  const visible = useMemo(
    () => visibleRows(rows, { ...reading, foldedAgents: withDescendants(reading.foldedAgents, parents) }),
    [rows, reading, parents],
  )
  const search = useTraceSearch(id, isComplete ? rows : NO_ROWS, words)
  const subagents = useMemo(
    () => new Map(trace.subagents.flatMap((agent) => (agent.parentStepId ? [[agent.parentStepId, agent] as const] : []))),
    [trace.subagents],
  )
  const selected = (url.item === null ? undefined : indexById.get(url.item)) ?? -1
  const change = useCallback((part: Partial<Reading>) => setReading((before) => ({ ...before, ...part })), [])
  const selectId = useCallback((item: string) => onChange({ item }, { replace: true }), [onChange])

  const goTo = useCallback(
    (index: number) => {
      const row = rows[index]
      if (!row) return
      // a linked item is shown even if it was folded
      setReading((before) =>
        visible.includes(index)
          ? before
          : {
              ...before,
              range: null,
              onlyTools: false,
              foldedAgents: new Set([...before.foldedAgents].filter((agent) => !lineageOf(row.agent, parents).includes(agent))),
            },
      )
      setFollow(false)
      onChange({ item: row.id, tab: 'transcript' }, { replace: true })
      requestAnimationFrame(() => transcript.current?.show(index))
    },
    [rows, visible, parents, onChange],
  )
  const goToStep = useCallback(
    (stepId: string) => {
      const index = indexById.get(stepId)
      if (index === undefined)
        toast.error('This step is not in the transcript', 'The score may be older than the session. Rescore under Settings → Scoring.')
      else goTo(index)
    },
    [indexById, goTo],
  )
  // a link with an item or search words opens at that place; later changes come from this screen
  const opened = useRef(false)
  useEffect(() => {
    if (opened.current || rows.length === 0) return
    if (selected >= 0) {
      opened.current = true
      requestAnimationFrame(() => transcript.current?.show(selected))
    } else if (search.hits[0] !== undefined) {
      const [hit] = search.hits
      opened.current = true
      requestAnimationFrame(() => goTo(hit))
    } else if (words === '' && (url.item === null || isComplete)) opened.current = true
  }, [rows.length, selected, search.hits, words, url.item, isComplete, goTo])

  const tasks = useTasks(id, isComplete ? rows : NO_ROWS, indexById, goTo)
  const taskStarts = useMemo(() => new Map(tasks.tasks.starts.map((row, index) => [row, index])), [tasks.tasks])

  const setShownWindow = (next: Window | null) => {
    setView(next)
    change({ range: next === null ? null : rowsIn(strip, next) })
  }
  const move = (direction: 1 | -1): boolean => {
    if (document.activeElement?.closest('[data-zone=transcript]') == null) return false
    const place = visible.indexOf(selected)
    const next = visible[place < 0 ? (direction > 0 ? 0 : visible.length - 1) : place + direction]
    if (next !== undefined) goTo(next)
    return true
  }
  const toError = (direction: 1 | -1) => {
    const next = nextError(rows, selected < 0 && direction < 0 ? rows.length : selected, direction)
    if (next === null)
      toast.info(
        strip.errors.length === 0 ? 'No errors in this session' : direction > 0 ? 'No error after this one' : 'No error before this one',
      )
    else goTo(next)
  }
  const toHit = (direction: 1 | -1) => {
    const { hits } = search
    const next =
      direction > 0 ? (hits.find((index) => index > selected) ?? hits[0]) : (hits.findLast((index) => index < selected) ?? hits.at(-1))
    if (next !== undefined) goTo(next)
  }
  const toggleTab = (next: OpenTab) => onChange({ tab: url.tab === next ? 'transcript' : next })
  useKeys({
    next: () => move(1),
    previous: () => move(-1),
    nextError: () => toError(1),
    previousError: () => toError(-1),
    collapse: () => change({ collapsed: !reading.collapsed }),
    onlyTools: () => change({ onlyTools: !reading.onlyTools }),
    raw: () => toggleTab('raw'),
    sessionDiff: () => toggleTab('diff'),
    boundary: () => tasks.toggleAt(selected),
    boundaryUp: () => tasks.step(taskAt(tasks.tasks, selected), -1),
    boundaryDown: () => tasks.step(taskAt(tasks.tasks, selected), 1),
    previousTask: () => tasks.goToTask(selected, -1),
    nextTask: () => tasks.goToTask(selected, 1),
    filter: () => {
      if (document.activeElement?.closest('[data-zone=transcript]') == null) return false
      field.current?.focus()
      return true
    },
    back: () => {
      if (view === null) return false
      setShownWindow(null)
      return true
    },
  })
  const placeText =
    selected < 0
      ? isComplete
        ? `${formatCount(rows.length)} items`
        : 'loading the rest'
      : `${turnLabel(turns, selected) ?? 'before the first prompt'}, item ${formatCount(selected + 1)} of ${formatCount(rows.length)}`

  const toolbar: ToolbarProps = {
    placeText,
    reading,
    onReading: change,
    errors: isComplete ? strip.errors.length : null,
    onError: toError,
    words,
    onWords: setWords,
    search,
    onHit: toHit,
    live,
    follow,
    onFollow: setFollow,
    onShowAll: () => setShownWindow(null),
    fieldRef: field,
  }
  const isTranscript = url.tab === 'transcript' || (url.tab === 'facts' && !narrow)
  const content = (
    <>
      {isComplete ? (
        <TimelineStrip
          rows={rows}
          strip={strip}
          turns={turns}
          selected={selected}
          view={view}
          onSelect={goTo}
          onView={setShownWindow}
          lane={(place) => <TaskLane tasks={tasks} place={place} onSelect={goTo} />}
        />
      ) : (
        <Skeleton className="mx-4 my-2 h-[70px] shrink-0" />
      )}
      <TabBar tab={url.tab} narrow={narrow} onTab={(next) => onChange({ tab: next })}>
        {isTranscript ? <ReadingBar {...toolbar} /> : null}
      </TabBar>
      {url.tab === 'diff' ? <SessionDiff traceId={id} rows={rows} cwd={trace.cwd} onStep={goToStep} /> : null}
      {url.tab === 'raw' ? <RawView trace={trace} /> : null}
      {url.tab === 'facts' && narrow ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <Facts trace={trace} onStep={goToStep} />
        </div>
      ) : null}
      {isTranscript ? (
        <>
          <PlaceBar {...toolbar}>
            <TaskBar tasks={tasks} selected={selected} />
          </PlaceBar>
          <HitLines search={search} rows={rows} selected={selected} onSelect={goTo} />
          <Transcript
            ref={transcript}
            traceId={id}
            rows={rows}
            visible={visible}
            turns={turns}
            selected={selected}
            collapsed={reading.collapsed}
            live={live}
            follow={follow}
            onFollow={setFollow}
            subagents={subagents}
            words={search.hits.length > 0 ? words.trim() : ''}
            foldedAgents={reading.foldedAgents}
            onFoldAgent={(agent) => {
              const folded = new Set(reading.foldedAgents)
              if (!folded.delete(agent)) folded.add(agent)
              change({ foldedAgents: folded })
            }}
            onSelect={selectId}
            taint={lines}
            onStep={goToStep}
            above={(index) => {
              const task = taskStarts.get(index)
              return task === undefined ? null : <TaskDivider tasks={tasks} index={task} />
            }}
          />
        </>
      ) : null}
    </>
  )
  if (narrow) return content
  return (
    <Split id="trace" panelIds={['content', 'facts']}>
      <Pane id="content" minSize="360px">
        {content}
      </Pane>
      <Handle label="Resize the facts" />
      <Pane id="facts" defaultSize="320px" minSize="240px" maxSize="50%">
        <section aria-label="Facts" className="min-h-0 flex-1 overflow-y-auto">
          <Facts trace={trace} onStep={goToStep} />
        </section>
      </Pane>
    </Split>
  )
}

const TABS: readonly { id: OpenTab; label: string; key: string | null }[] = [
  { id: 'transcript', label: 'Transcript', key: null },
  { id: 'facts', label: 'Facts', key: null },
  { id: 'diff', label: 'Diff', key: keyOf('sessionDiff') },
  { id: 'raw', label: 'Raw', key: keyOf('raw') },
]

/** Buttons for the views of a session, with the current one marked. */
const TabBar = ({
  tab,
  narrow,
  onTab,
  children,
}: {
  tab: OpenTab
  narrow: boolean
  onTab: (tab: OpenTab) => void
  children: ReactNode
}) => {
  const current = tab === 'facts' && !narrow ? 'transcript' : tab
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-2 border-b border-line px-3">
      <nav aria-label="Session views" className="flex gap-1">
        {TABS.filter(({ id }) => narrow || id !== 'facts').map(({ id, label, key }) => (
          <button
            key={id}
            type="button"
            aria-current={current === id ? 'page' : undefined}
            onClick={() => onTab(id)}
            className={cn(
              'focus-inset -mb-px flex h-8 items-center gap-1.5 border-b-2 px-2 text-sm',
              current === id ? 'border-accent text-text' : 'border-transparent text-second hover:text-text',
            )}
          >
            {label}
            {key ? <kbd className="font-mono text-xs text-second">{key}</kbd> : null}
          </button>
        ))}
      </nav>
      {children}
    </div>
  )
}

const PaneSkeleton = ({ facts }: { facts: boolean }) => (
  <Loading label="Loading the session" className="flex min-h-0 flex-1 flex-col overflow-hidden">
    <div className="flex flex-col gap-3 border-b border-line p-4">
      <Skeleton className="h-5 w-2/3" />
      <Skeleton className="w-1/2" />
      <Skeleton className="h-8 w-96 max-w-full" />
    </div>
    <div className="flex min-h-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col gap-4 p-4">
        {Array.from({ length: 8 }, (_, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- all alike
          <Skeleton key={index} className="h-16 shrink-0" />
        ))}
      </div>
      {facts ? (
        <div className="flex w-80 flex-col gap-4 border-l border-line p-4">
          <Skeleton className="h-52" />
          <Skeleton className="h-24" />
          <Skeleton className="h-32" />
        </div>
      ) : null}
    </div>
  </Loading>
)
