import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAnnounce } from '#renderer/ui/announcer.tsx'
import { Badge, type Tone } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { formatCount, formatUsd, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Progress } from '#renderer/ui/meter.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { Visible } from '#renderer/ui/visible.tsx'

/** How a state of a batch or a set of rollouts is shown. */
export interface CollectionState {
  label: string
  tone: Tone
  icon: LucideIcon
  description: string
}

export const CollectionStateBadge = ({
  state: { icon: Icon, tone, label, description },
  detail,
}: {
  state: CollectionState
  /** The reason for the state. */
  detail: string | null
}) => (
  <span title={detail ?? description}>
    <Badge tone={tone}>
      <Icon size={12} aria-hidden />
      {label}
    </Badge>
  </span>
)

/** The page that lists batches or sets of rollouts, newest first. */
export function CollectionListPage<Row extends { id: string }>({
  title,
  summary,
  tabs,
  list,
  columns,
  newLink,
  empty,
}: {
  title: string
  summary: string
  tabs: ReactNode
  list: Parameters<typeof useRows<Row>>[0] & { error: unknown; refetch: () => unknown }
  columns: Column<Row>[]
  newLink: ReactNode
  /** Shown instead of an empty list. */
  empty: ReactNode
}) {
  const { rows, more } = useRows(list)
  const noun = title.toLowerCase()
  return (
    <Page title={title} summary={summary} actions={rows.length > 0 ? newLink : null} tabs={tabs}>
      <Fetched query={list} what={noun} bars={['h-6 w-full', 'h-6 w-full', 'h-6 w-2/3']}>
        {() => (rows.length === 0 ? empty : <Table caption={title} columns={columns} rows={rows} keyOf={({ id }) => id} />)}
      </Fetched>
      {list.hasNextPage ? (
        <div>
          <Button busy={list.isFetchingNextPage} onClick={more}>
            Show older {noun}
          </Button>
        </div>
      ) : null}
    </Page>
  )
}

export const NameLink = ({ href, name }: { href: string; name: string }) => (
  <TextLink href={href} className="block truncate no-underline! hover:underline!">
    <Visible text={name} />
  </TextLink>
)

/** "3 of 8" above a progress bar. */
export const EndedCell = ({ label, counts, ended, total }: { label: string; counts: string; ended: number; total: number }) => (
  <span className="inline-flex w-28 flex-col gap-1" title={counts}>
    {formatCount(ended)} of {formatCount(total)}
    <Progress label={label} value={ended / total} className="h-1" />
  </span>
)

/** Progress and cost of a batch or a set of rollouts. */
export function CollectionProgress({
  name,
  noun,
  state,
  detail,
  ended,
  total,
  counts,
  costUsd,
  maxCostUsd,
  children,
}: {
  name: string
  /** The unit that is counted: "attempt". */
  noun: string
  state: CollectionState
  detail: string | null
  ended: number
  total: number
  counts: string
  costUsd: number | null
  maxCostUsd: number | null
  /** Further facts, after the cost. */
  children?: ReactNode
}) {
  const endedSentence = `${formatCount(ended)} of ${plural(total, noun)} ended`
  useAnnounce(`${name}: ${state.label}, ${endedSentence}`)
  return (
    <section aria-label="Progress" className="flex flex-col gap-2 rounded border border-line bg-panel p-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <CollectionStateBadge state={state} detail={detail} />
        <span>{endedSentence}</span>
        <span className="text-second">{counts}</span>
      </div>
      <Progress label={`${noun.charAt(0).toUpperCase()}${noun.slice(1)}s that have ended`} value={ended / total} />
      <p className="flex flex-wrap gap-x-4 text-second">
        <span>
          Cost: {costUsd === null ? 'not known' : formatUsd(costUsd)}
          {maxCostUsd === null ? '' : ` of at most ${formatUsd(maxCostUsd)}`}
        </span>
        {children}
      </p>
      {detail === null ? null : (
        <p className="break-words text-warn">
          <Visible text={detail} />
        </p>
      )}
    </section>
  )
}

/** Facts on one line, separated by dots. */
export const FactsLine = ({ facts }: { facts: readonly ReactNode[] }) => (
  <p className="flex flex-wrap gap-x-1.5">
    {facts.map((fact, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- the order never changes
      <span key={index} className="contents">
        {index === 0 ? null : <span>·</span>}
        <span>{fact}</span>
      </span>
    ))}
  </p>
)
