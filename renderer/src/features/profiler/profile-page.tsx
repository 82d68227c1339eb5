import { ArrowLeft, ArrowRight, Maximize2, ZoomIn, ZoomOut } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { pathOf } from '#contracts/derive/client.ts'
import type { Profile } from '#contracts/entities/profile.ts'
import { exportProfile } from '#contracts/routes/observability.ts'
import { download } from '#renderer/api/download.ts'
import { useProfile } from '#renderer/api/profiles.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { stepHref, taskHref, traceHref } from '#renderer/app/links.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { useRowPx } from '#renderer/stores/theme.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { DownloadMenu } from '#renderer/ui/download-menu.tsx'
import { FetchedPage } from '#renderer/ui/fetched.tsx'
import { formatCompact, formatCount, formatDuration, formatUsd, plural } from '#renderer/ui/format.ts'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { Above, PageHead, useTitle } from '#renderer/ui/page.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { type Axis, moved, showing, type View, zoomed } from './axis.ts'
import { Bottlenecks } from './bottlenecks.tsx'
import { Charts } from './charts.tsx'
import { layOut, type SpanRow } from './rows.ts'
import { SendButton } from './send-button.tsx'
import { SpanFacts } from './span-facts.tsx'
import { SpanGrid } from './span-grid.tsx'
import { reportedWords, timeWord, UNTITLED } from './words.ts'

/** `/profiler/<id>`; `?span=` is the current span, `?view=` is what is shown. */
export default function ProfilePage({ id }: { id: string }) {
  return (
    <FetchedPage query={useProfile(id)} what="profile" named="session" all={{ href: '/profiler', label: 'All profiles' }}>
      {(profile) => <Loaded profile={profile} />}
    </FetchedPage>
  )
}

const LOOKS = [
  { id: 'waterfall', label: 'Waterfall' },
  { id: 'table', label: 'Table' },
  { id: 'charts', label: 'Charts' },
] as const
type Look = (typeof LOOKS)[number]['id']

function Loaded({ profile }: { profile: Profile }) {
  const { id, source, sessionId, title, spans, summary, taskId } = profile
  const back = source === 'session' ? '/profiler' : '/profiler/recorded'
  useTitle(`Profile of ${title ?? UNTITLED}`)
  const [search, change] = useSearchState()
  const [, go] = useLocation()
  const look: Look = LOOKS.find((one) => one.id === search.get('view'))?.id ?? 'waterfall'
  const laid = useMemo(() => layOut({ spans }), [spans])
  const { rows, byId, axis } = laid
  const current = byId.get(search.get('span') ?? '') ?? null
  const currentId = current?.id ?? null
  const rowPx = useRowPx()
  const [chosen, setChosen] = useState<{ view: View; spanId: string | null } | null>(null)
  const setView = (next: View | null) => setChosen(next && { view: next, spanId: currentId })
  const view = viewOf(chosen, current, axis)

  const pick = useCallback((spanId: string) => change({ span: spanId }, { replace: true }), [change])
  const step = (by: 1 | -1) => {
    const place = current === null ? -1 : rows.indexOf(current)
    const next = rows[Math.min(Math.max(place < 0 ? 0 : place + by, 0), rows.length - 1)]
    if (next) pick(next.id)
  }
  const zoom = (factor: number) => setView(zoomed(view, factor, axis.length, current?.place ? middleOf(current.place, view) : undefined))
  const move = (share: number) => setView(moved(view, share, axis.length))
  const setLook = (next: Look) => change({ view: next === 'waterfall' ? null : next }, { replace: true })
  useKeys({
    waterfall: () => setLook(look === 'waterfall' ? 'table' : 'waterfall'),
    back: () => go(back),
    ...(look !== 'charts' && {
      next: () => step(1),
      previous: () => step(-1),
      open: () => (current?.span.entryId == null ? false : go(stepHref(id, current.span.entryId))),
    }),
    ...(look === 'waterfall' && {
      zoomIn: () => zoom(2),
      zoomOut: () => zoom(0.5),
      zoomAll: () => setView(null),
      earlier: () => move(-STEP),
      later: () => move(STEP),
    }),
  })

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead
        trail={
          <Above>
            <TextLink href={back}>Profiler</TextLink>
          </Above>
        }
        heading={title === null ? UNTITLED : <Visible text={title} />}
        summary={<Summary profile={profile} shortenedMs={axis.shortenedMs} />}
        actions={
          <>
            {taskId === null ? null : <ButtonLink href={taskHref(taskId)}>Open the agent run</ButtonLink>}
            {sessionId === null ? null : <ButtonLink href={traceHref(sessionId)}>Open the session</ButtonLink>}
            <SendButton id={id} />
            <DownloadMenu
              label="Export"
              formats={[
                { format: 'perfetto', label: 'Chrome trace (Perfetto), without secrets' },
                { format: 'otlp', label: 'OTLP JSON, without secrets' },
              ]}
              onSelect={(format) => void download(pathOf(exportProfile, { params: { id }, query: { format } }))}
            />
          </>
        }
      >
        <Bottlenecks traceId={id} found={summary.bottlenecks} />
      </PageHead>
      <Toolbar
        profile={profile}
        look={look}
        onLook={setLook}
        isWhole={chosen === null}
        zoom={zoom}
        onWhole={() => setView(null)}
        move={move}
      />
      {look === 'charts' ? (
        <Charts profile={profile} onShow={(span) => change({ span, view: null })} />
      ) : spans.length <= 1 ? (
        <EmptyState title="Nothing was recorded in this session">
          It has no requests and no calls, so there is no time to show. Hooks alone do not tell them; import the transcript of the session.
        </EmptyState>
      ) : (
        <div className="flex min-h-0 flex-1">
          <SpanGrid rows={rows} axis={axis} look={look} view={view} currentId={currentId} rowPx={rowPx} onPick={pick} />
          {current === null ? null : <SpanFacts traceId={id} row={current} onClose={() => change({ span: null }, { replace: true })} />}
        </div>
      )}
    </div>
  )
}

/** The part of the view by which it is moved at once. */
const STEP = 0.25

interface ToolbarProps {
  profile: Profile
  look: Look
  onLook: (look: Look) => void
  isWhole: boolean
  zoom: (factor: number) => void
  onWhole: () => void
  move: (share: number) => void
}

const Toolbar = ({ profile: { spans, summary }, look, onLook, isWhole, zoom, onWhole, move }: ToolbarProps) => (
  <div role="toolbar" aria-label="Spans" className="flex flex-wrap items-center gap-2 border-b border-line px-6 pb-2">
    <Segmented label="View" value={look} options={LOOKS} onChange={onLook} />
    {look === 'waterfall' ? (
      <span className="flex items-center">
        <IconButton size="small" icon={ZoomIn} label="Zoom in" keys={keyOf('zoomIn')} onClick={() => zoom(2)} />
        <IconButton
          size="small"
          icon={ZoomOut}
          label="Zoom out"
          keys={keyOf('zoomOut')}
          reason={isWhole ? 'The whole session is shown.' : null}
          onClick={() => zoom(0.5)}
        />
        <IconButton size="small" icon={Maximize2} label="Show the whole session" keys={keyOf('zoomAll')} onClick={onWhole} />
        <IconButton size="small" icon={ArrowLeft} label="Earlier" keys={keyOf('earlier')} onClick={() => move(-STEP)} />
        <IconButton size="small" icon={ArrowRight} label="Later" keys={keyOf('later')} onClick={() => move(STEP)} />
      </span>
    ) : null}
    <span className="ml-auto text-xs text-second">
      {plural(spans.length, 'span')}
      {summary.unmeasured > 0 ? `, ${formatCount(summary.unmeasured)} not measured` : ''}
    </span>
  </div>
)

/** What was chosen, moved so that another span that became the current one since then is in it. */
function viewOf(chosen: { view: View; spanId: string | null } | null, current: SpanRow | null, { length }: Axis): View {
  if (chosen === null) return { from: 0, to: length }
  if (current === null || current.id === chosen.spanId || current.place === null) return chosen.view
  return showing(chosen.view, current.place, length)
}

/** Of the part that is in view. */
function middleOf(place: View, view: View): number | undefined {
  const middle = (Math.max(place.from, view.from) + Math.min(place.to, view.to)) / 2
  return middle >= view.from && middle <= view.to ? middle : undefined
}

const Summary = ({ profile: { summary, models, repo }, shortenedMs }: { profile: Profile; shortenedMs: number }) => (
  <span className="flex flex-wrap gap-x-4 gap-y-1">
    {repo === null ? null : (
      <span>
        <Visible text={repo} />
      </span>
    )}
    {models.length === 0 ? null : <span>{models.join(', ')}</span>}
    <span>
      {timeWord(summary.durationMs)}: {timeWord(summary.workingMs)} working, {timeWord(summary.waitingMs)} waiting for you
      {shortenedMs > 0 ? ` (waits are drawn at most 5 minutes long, ${formatDuration(shortenedMs)} left out)` : ''}
    </span>
    <span>{plural(summary.llmCalls.count, 'request')}</span>
    <span>
      {plural(summary.toolCalls, 'call')}, {formatCount(summary.failedToolCalls)} failed
    </span>
    <span>{summary.llmCalls.totalTokens === null ? 'tokens not recorded' : `${formatCompact(summary.llmCalls.totalTokens)} tokens`}</span>
    <span>{summary.costUsd === null ? 'cost not known' : formatUsd(summary.costUsd)}</span>
    {summary.reported === null ? null : <span>{reportedWords(summary.reported)}</span>}
  </span>
)
