import { Inbox } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { HomeOverview } from '#contracts/entities/system.ts'
import { useCapture, useScan } from '#renderer/api/capture.ts'
import { OWN_WORK } from '#contracts/filter.ts'
import { useHome } from '#renderer/api/stats.ts'
import { useTraceSearch } from '#renderer/api/traces.ts'
import { traceHref, tracesHref } from '#renderer/app/links.ts'
import { UnverifiedCount } from './unverified-count.tsx'
import { keyOf } from '#renderer/app/keymap.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { KeyHint } from '#renderer/ui/key-hint.tsx'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { TierMark, MARKS } from '#renderer/ui/tier-mark.tsx'
import { Visible, visible } from '#renderer/ui/visible.tsx'
import { untitled } from '#renderer/ui/session-title.ts'
import { LoopOverview } from './loop.tsx'
import { Running } from './running.tsx'
import { CaptureNotice } from './capture-notice.tsx'
import { RestoredNotice } from './restored-notice.tsx'
import { ThermometerFigure } from './thermometer.tsx'
import { todayQuery } from './days.ts'
import { TierTrend, YearPicture } from './pictures.tsx'

export default function HomePage() {
  const home = useHome()
  const [, go] = useLocation()
  const inbox = home.data?.inbox
  useKeys({ inbox: () => (inbox ? go(tracesHref(inbox.query)) : false) })

  if (home.error && !home.data) {
    return (
      <Page title="Home">
        <ErrorState title="Couldn't load the overview" error={home.error} retry={() => void home.refetch()} />
      </Page>
    )
  }
  if (!home.data) return <HomeSkeleton />
  const data = home.data
  if (data.cameIn.total + data.cameIn.runs === 0) return <NothingYet />
  return (
    <Page title="Home" summary={<ImportedCount data={data} />}>
      <CaptureNotice />
      <RestoredNotice />
      <LoopOverview />
      <div className="grid gap-x-8 gap-y-6 xl:grid-cols-2">
        <Running lastVisitAt={data.cameIn.lastVisitAt} />
        <InboxRows inbox={data.inbox} />
      </div>
      <Figures data={data} />
      <div className="grid gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,1fr)_380px]">
        <div className="flex min-w-0 flex-col gap-6">
          <YearPicture days={data.days} />
          <TierTrend days={data.days} />
        </div>
        <Shortfalls rows={data.shortfalls} />
      </div>
    </Page>
  )
}

function ImportedCount({ data }: { data: HomeOverview }) {
  const { sinceLastVisit, lastVisitAt } = data.cameIn
  if (sinceLastVisit === null || lastVisitAt === null) return null
  return (
    <>
      {sinceLastVisit > 0 ? `${plural(sinceLastVisit, 'session')} ended` : 'No session ended'} since your last visit,{' '}
      <RelativeTime at={lastVisitAt} />.
    </>
  )
}

/** The numbers of the page in one line; each links to its rows. */
function Figures({ data }: { data: HomeOverview }) {
  const scan = useScan()
  const capture = useCapture()
  const atRisk = capture.data?.archive.atRisk ?? scan.data?.atRisk ?? null
  const cleanup = capture.data?.archive.nextCleanupAt ?? scan.data?.nextCleanup?.at ?? null
  return (
    <div className="flex flex-wrap gap-x-5 xl:gap-x-10 gap-y-4 border-y border-line py-4">
      <Figure href={tracesHref(`age:<7d ${OWN_WORK}`)} value={data.cameIn.week} label="sessions in 7 days" />
      <Figure href={tracesHref(`${todayQuery()} ${OWN_WORK}`)} value={data.cameIn.today} label="today" />
      {data.cameIn.runs > 0 ? <Figure href={tracesHref('is:run')} value={data.cameIn.runs} label="of agent runs" /> : null}
      <span aria-hidden className="w-px self-stretch bg-line" />
      {MARKS.map((mark) => (
        <div key={mark} className="flex flex-col text-xs">
          <Figure href={tracesHref(`tier:${mark} ${OWN_WORK}`)} value={data.byTier[mark] ?? null} label={<TierMark mark={mark} word />} />
          {mark === 'gold' ? <UnverifiedCount /> : null}
        </div>
      ))}
      <span aria-hidden className="w-px self-stretch bg-line" />
      <Figure
        href="/settings/storage"
        value={atRisk}
        label="at risk"
        detail={
          cleanup ? (
            <>
              clean-up <RelativeTime at={cleanup} due="due now" />
            </>
          ) : null
        }
      />
      <ThermometerFigure />
    </div>
  )
}

function Figure({ href, value, label, detail }: { href: string; value: number | null; label: ReactNode; detail?: ReactNode }) {
  return (
    <Link href={href} className="group flex min-w-12 flex-col rounded">
      <span className="text-xl leading-7 font-semibold group-hover:text-accent">{formatCount(value)}</span>
      <span className="text-xs text-second">{label}</span>
      {detail ? <span className="text-xs text-second">{detail}</span> : null}
    </Link>
  )
}

function Shortfalls({ rows }: { rows: HomeOverview['shortfalls'] }) {
  if (rows.length === 0) return null
  return (
    <Section title="Where sessions fall short">
      <ul className="flex flex-col">
        {rows.map((row) => (
          <li key={row.id} className="flex items-start gap-3 border-b border-line py-2 first:pt-0 last:border-b-0">
            <div className="min-w-0 flex-1">
              <p className="text-sm">{row.title}</p>
              <p className="text-xs text-second">{row.detail}</p>
            </div>
            <TextLink href={tracesHref(row.query)} className="text-sm whitespace-nowrap">
              {plural(row.count, 'session')}
            </TextLink>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** As many as a search finds at once. */
const INBOX_ROWS = 8

function InboxRows({ inbox }: { inbox: HomeOverview['inbox'] }) {
  const rows = useTraceSearch(inbox.query)
  return (
    <Section
      title="Inbox"
      actions={
        inbox.count > 0 ? (
          <ButtonLink href={tracesHref(inbox.query)}>
            <Inbox size={16} aria-hidden />
            Triage {plural(inbox.count, 'session')}
            <KeyHint keys={keyOf('inbox')} />
          </ButtonLink>
        ) : null
      }
    >
      {inbox.count === 0 ? (
        <p className="text-sm text-second">Every session has been reviewed. New ones appear here.</p>
      ) : (
        // as high as its rows, so that nothing moves when they come
        <div style={{ minHeight: `calc(var(--row) * ${Math.min(inbox.count, INBOX_ROWS)})` }}>
          <Fetched query={rows} what="inbox" bars={['h-6 w-full']}>
            {({ items }) => (
              <ul className="flex flex-col">
                {items.map((trace) => (
                  <li key={trace.id}>
                    <Link
                      href={traceHref(trace.id)}
                      className="focus-inset flex h-(--row) items-center gap-2 rounded px-1 text-sm hover:bg-raised"
                    >
                      <TierMark mark={trace.tier} own={trace.tierSource === 'user'} unverified={trace.unverified} />
                      <span className="min-w-0 flex-1 truncate" title={trace.title === null ? undefined : visible(trace.title)}>
                        <Visible text={trace.title ?? untitled(trace)} />
                      </span>
                      <RelativeTime at={trace.endedAt ?? trace.startedAt} className="text-xs whitespace-nowrap text-second" />
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </Fetched>
        </div>
      )}
    </Section>
  )
}

function NothingYet() {
  const scan = useScan()
  const notImported = scan.data?.notArchived ?? 0
  return (
    <Page title="Home">
      <EmptyState
        title="No sessions yet"
        ghost={<YearGhost />}
        action={
          <ButtonLink href={notImported > 0 ? '/welcome' : '/settings/capture'} look="primary">
            {notImported > 0 ? `Import ${plural(notImported, 'session')}` : 'Set up capture'}
          </ButtonLink>
        }
      >
        Sessions are archived and scored as they run, and stay here after the agent deletes its copies.{' '}
        {notImported > 0 ? 'Choose which projects are imported first.' : 'Start a session in any terminal and it appears here.'} To look
        around first, load <TextLink href="/traces">the sample sessions</TextLink>.
      </EmptyState>
    </Page>
  )
}

/** Placeholder squares for the days of a year. */
const YearGhost = () => (
  <div className="grid grid-flow-col grid-rows-7 gap-[3px]">
    {Array.from({ length: 7 * 20 }, (_, day) => (
      // oxlint-disable-next-line react/no-array-index-key -- all alike
      <span key={day} className="size-3 rounded-sm bg-raised" />
    ))}
  </div>
)

function HomeSkeleton() {
  return (
    <Page title="Home" summary="Loading the overview">
      <CaptureNotice />
      <Loading label="Loading the overview" className="flex flex-col gap-6">
        <Skeleton className="h-44 w-full" />
        <div className="grid gap-x-8 gap-y-6 xl:grid-cols-2">
          <Skeleton className="h-44 w-full" />
          <Skeleton className="h-44 w-full" />
        </div>
        <Skeleton className="h-[94px] w-full" />
        <Skeleton className="h-44 w-full" />
      </Loading>
    </Page>
  )
}
