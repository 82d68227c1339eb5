import { ListFilter, Settings2, X } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ArchiveFinding } from '#contracts/entities/privacy.ts'
import { usePrivacy } from '#renderer/api/privacy.ts'
import { piiWord } from '#renderer/app/words/privacy.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { ButtonLink } from '#renderer/ui/link.tsx'
import { PageHead, useTitle } from '#renderer/ui/page.tsx'
import { Handle, Pane, Split } from '#renderer/ui/splitter.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { useWidth } from '#renderer/ui/use-width.ts'
import { useDecisionActions, type Choice } from './actions.ts'
import { Decisions } from './decisions.tsx'
import { FacetsPanel } from './facets.tsx'
import { FindingsSkeleton } from './finding-list.tsx'
import { FindingPane } from './finding-pane.tsx'
import { ListPane } from './list-pane.tsx'
import { Picture } from './picture.tsx'
import { useFacets, useFinding, useChartFacets } from './queries.ts'
import { ScanStrip } from './scan-strip.tsx'
import { labelOf, scopesOf, type ScopeName } from './scopes.ts'
import { isFiltered, NO_FILTER, type ReviewUrl } from './url-state.ts'
import { useReviewUrl, type ChangeUrl } from './use-url.ts'

/** Below this width the facets are closed while a finding is open. */
const FACETS_FROM_PX = 1000

/** All secrets and personal data in the archive, with the decisions about them. */
export default function PrivacyPage() {
  useTitle('Privacy')
  const [url, change] = useReviewUrl()
  const status = usePrivacy()
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead
        heading="Privacy"
        beside={<Views url={url} change={change} />}
        actions={
          <ButtonLink href="/settings/privacy" look="quiet">
            <Settings2 size={16} aria-hidden />
            Privacy settings
          </ButtonLink>
        }
      >
        <Fetched query={status} what="scan status" bars={['h-7 w-full']}>
          {(scan) => <ScanStrip status={scan} />}
        </Fetched>
      </PageHead>
      {url.view === 'decisions' ? <Decisions /> : <Findings url={url} change={change} />}
    </div>
  )
}

const VIEW_LABELS = { findings: 'Findings', decisions: 'Decisions' } as const

const Views = ({ url, change }: { url: ReviewUrl; change: ChangeUrl }) => (
  <div role="group" aria-label="View" className="flex">
    {(['findings', 'decisions'] as const).map((view) => (
      <button
        key={view}
        type="button"
        aria-pressed={url.view === view}
        onClick={() => change({ view })}
        className={cn(
          'focus-inset h-8 px-3 text-sm hover:text-text',
          url.view === view ? 'font-semibold shadow-[inset_0_-2px_0_var(--accent)]' : 'text-second',
        )}
      >
        {VIEW_LABELS[view]}
      </button>
    ))}
  </div>
)

function Findings({ url, change }: { url: ReviewUrl; change: ChangeUrl }) {
  const area = useRef<HTMLDivElement>(null)
  const width = useWidth(area)
  const facets = useFacets(url)
  const chartFacets = useChartFacets(url)
  const open = useFinding(url.id)
  const actions = useDecisionActions()
  const [chosenScope, setScope] = useState<ScopeName | null>(null)
  // a row of the list is a value, unless the list is limited to the places of one value
  const scope = chosenScope ?? (url.value === null ? 'value' : 'finding')
  const [isFacetsPreferred, setFacetsPreferred] = useState(true)
  const isCounting = chartFacets.isPending
  const isEmpty = chartFacets.data?.total === 0 && !isFiltered(url)
  const isFacetsOpen = !isEmpty && isFacetsPreferred && (url.id === null || width >= FACETS_FROM_PX)
  const panels = [...(isFacetsOpen ? ['facets'] : []), 'list', ...(url.id === null ? [] : ['finding'])]
  const decideAll = (findings: readonly ArchiveFinding[], choice: Choice) =>
    void actions.decide(scopesOf(findings, scope), choice, labelOf(findings, scope, choice.action))
  const close = () => change({ id: null })
  return (
    <div ref={area} className="flex min-h-0 flex-1 flex-col">
      {isEmpty || isCounting ? null : (
        <FilterChips url={url} change={change} isOpen={isFacetsOpen} onToggle={() => setFacetsPreferred(!isFacetsOpen)} />
      )}
      {/* the initial widths are read once; the chart above the list and the empty page follow from the counts */}
      {width === 0 || isCounting ? (
        <FindingsSkeleton />
      ) : (
        <Split id="privacy" panelIds={panels}>
          {isFacetsOpen ? (
            <>
              <Pane id="facets" defaultSize="220px" minSize="170px" maxSize="320px">
                <section aria-label="Facets" className="min-h-0 flex-1 overflow-y-auto">
                  <FacetsPanel url={url} change={change} facets={facets} chart={chartFacets} />
                </section>
              </Pane>
              <Handle label="Resize the facets" />
            </>
          ) : null}
          <Pane id="list" minSize="280px">
            {url.id === null && chartFacets.data && chartFacets.data.total > 0 ? (
              <div className="border-b border-line px-4 py-3">
                <Picture cells={chartFacets.data.cells} url={url} change={change} />
              </div>
            ) : null}
            <ListPane url={url} change={change} open={open.data ?? null} scope={scope} onScope={setScope} onDecide={decideAll} />
          </Pane>
          {url.id === null ? null : (
            <>
              <Handle label="Resize the list" />
              <Pane id="finding" defaultSize="420px" minSize="320px">
                {open.data ? (
                  <FindingPane
                    finding={open.data}
                    scope={scope}
                    onScope={setScope}
                    onDecide={(choice) => open.data && decideAll([open.data], choice)}
                    onClose={close}
                  />
                ) : (
                  <NotOpen open={open} onClose={close} />
                )}
              </Pane>
            </>
          )}
        </Split>
      )}
    </div>
  )
}

function NotOpen({ open, onClose }: { open: ReturnType<typeof useFinding>; onClose: () => void }) {
  if (open.error)
    return <ErrorState title="Couldn't load the finding" error={open.error} retry={() => void open.refetch()} className="m-4" />
  if (open.isPending)
    return (
      <Loading label="Loading the finding" className="flex flex-col gap-4 p-4">
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-44 w-full" />
        <Skeleton className="h-32 w-full" />
      </Loading>
    )
  return (
    <EmptyState title="This finding no longer exists" action={<Button onClick={onClose}>Close</Button>}>
      Its session was removed or rescanned with different rules.
    </EmptyState>
  )
}

/** Toggles the facets, and removes active filters. */
function FilterChips({ url, change, isOpen, onToggle }: { url: ReviewUrl; change: ChangeUrl; isOpen: boolean; onToggle: () => void }) {
  const chips: { id: string; text: string; without: Partial<ReviewUrl> }[] = [
    ...url.types.map((type) => ({ id: type, text: piiWord(type), without: { types: url.types.filter((other) => other !== type) } })),
    ...(url.action ? [{ id: 'action', text: `action: ${url.action}`, without: { action: null } }] : []),
    ...(url.band ? [{ id: 'band', text: `confidence ${url.band.label}`, without: { band: null } }] : []),
    ...(['project', 'file', 'detector'] as const).flatMap((name) => {
      const value = url[name]
      return value === null
        ? []
        : [{ id: name, text: `${name}: ${value.split('/').findLast(Boolean) ?? value}`, without: { [name]: null } }]
    }),
    ...(url.value ? [{ id: 'value', text: 'one value', without: { value: null } }] : []),
    ...(url.trace ? [{ id: 'trace', text: `session ${url.trace.slice(0, 8)}`, without: { trace: null } }] : []),
  ]
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-2 border-b border-line px-3 py-1">
      <IconButton
        size="small"
        icon={ListFilter}
        label={isOpen ? 'Hide the facets' : 'Show the facets'}
        aria-expanded={isOpen}
        onClick={onToggle}
      />
      {chips.length === 0 ? <span className="text-xs text-second">All findings</span> : null}
      {chips.map(({ id, text, without }) => (
        <button
          key={id}
          type="button"
          onClick={() => change(without)}
          aria-label={`Remove filter: ${text}`}
          className="inline-flex h-6 items-center gap-1 rounded-sm border border-edge px-1.5 text-xs hover:bg-raised"
        >
          {text}
          <X size={12} aria-hidden />
        </button>
      ))}
      {isFiltered(url) ? (
        <Button size="small" look="quiet" onClick={() => change({ ...NO_FILTER, types: [] })}>
          Clear filter
        </Button>
      ) : null}
    </div>
  )
}
