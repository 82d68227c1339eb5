import { useState } from 'react'
import type { RouteDecision } from '#contracts/entities/routing.ts'
import { outcomeWords } from '#contracts/router-words.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useReportOutcome, useRouteDecisions } from '#renderer/api/routing.ts'
import { traceHref } from '#renderer/app/links.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { DASH, formatCount, formatInstant, formatPercent, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { NAMES, shownIn, shownWords } from './shown.ts'
import { CAUSE_WORDS, dollars, ms, STRATEGY_WORDS } from './words.ts'

const isRefused = ({ status }: RouteDecision): boolean => status !== null && status >= 400
const answeredBy = (decision: RouteDecision): string => {
  const { model, status, selectedModel, student } = decision
  if (selectedModel === 'student') return student!.name
  return model ?? (status === null ? 'nobody' : isRefused(decision) ? 'the API' : 'not named')
}
/** A strategy has a reason for each conversation; other causes are one reason each. */
const whyOf = ({ cause, reason, error }: RouteDecision): string => error ?? (cause === 'strategy' ? reason : CAUSE_WORDS[cause])

const columns = (open: (id: string) => void): Column<RouteDecision>[] => [
  {
    id: 'at',
    label: 'When',
    cell: ({ id, at }) => (
      <Button look="quiet" size="small" onClick={() => open(id!)}>
        <RelativeTime at={at} />
      </Button>
    ),
  },
  {
    id: 'to',
    label: 'Answered by',
    cell: (decision) => (
      <>
        {answeredBy(decision)} {decision.fallback ? <Badge tone="warn">instead of {decision.student!.name}</Badge> : null}
        {isRefused(decision) ? <Badge tone="bad">HTTP {decision.status}</Badge> : null}
      </>
    ),
  },
  {
    id: 'why',
    label: 'Why',
    cell: (decision) => (
      <span className="line-clamp-2">
        <Visible text={whyOf(decision)} />
      </span>
    ),
  },
  {
    id: 'confidence',
    label: 'Confidence',
    numeric: true,
    cell: ({ confidence }) => (confidence === null ? DASH : formatPercent(confidence)),
  },
  { id: 'first', label: 'First byte', numeric: true, cell: ({ firstTokenMs }) => ms(firstTokenMs) },
  { id: 'whole', label: 'Whole', numeric: true, cell: ({ latencyMs }) => ms(latencyMs) },
  { id: 'tokens', label: 'Tokens', numeric: true, cell: ({ tokens }) => (tokens === null ? DASH : formatCount(tokens)) },
  { id: 'cost', label: 'Cost', numeric: true, cell: ({ costUsd }) => dollars(costUsd) },
  { id: 'outcome', label: 'Outcome', cell: ({ outcome }) => (outcome === null ? DASH : outcomeWords(outcome)) },
]

/** The requests that the address names, the newest first; each opens with its reason and its outcome. */
export function Decisions() {
  const [search, change] = useSearchState()
  const shown = shownIn(search)
  const list = useRouteDecisions(shown)
  const { rows, total, more } = useRows({
    ...list,
    data: list.data as { pages: { items: (RouteDecision & { id: string })[] }[] } | undefined,
  })
  const [openId, setOpenId] = useState<string | null>(null)
  const open = rows.find(({ id }) => id === openId)
  const words = shownWords(shown)
  return (
    <section aria-label="Requests" className="flex flex-col gap-2">
      <p role="status" className="flex min-h-7 flex-wrap items-center gap-2 text-sm">
        {`${plural(total, 'request')}${words === '' ? ', the newest first' : ` ${words}`}`}
        {words === '' ? null : (
          <Button look="quiet" size="small" onClick={() => change(Object.fromEntries(NAMES.map((name) => [name, null])))}>
            Show all
          </Button>
        )}
      </p>
      <Fetched query={{ ...list, data: list.data?.pages[0], refetch: list.refetch }} what="requests" bars={['h-24 w-full']}>
        {() => <Table caption="The newest requests" rows={rows} keyOf={({ id }) => id} columns={columns(setOpenId)} />}
      </Fetched>
      {list.hasNextPage ? (
        <div>
          <Button busy={list.isFetchingNextPage} onClick={more}>
            Show more
          </Button>
        </div>
      ) : null}
      {open ? <Open decision={open} onClose={() => setOpenId(null)} /> : null}
    </section>
  )
}

/** All that is known of one request, and the user's own word about its answer. */
function Open({ decision, onClose }: { decision: RouteDecision; onClose: () => void }) {
  const { id, at, cause, reason, strategy, confidence, taskComplexity, firstTokenMs, latencyMs, tokens, costUsd, teacherUsd } = decision
  const { status, error, outcome, traceId, session, agent, model } = decision
  const report = useReportOutcome()
  const offline = useOfflineReason()
  const say = (successRate: number) => report.mutate({ decisionId: id!, successRate })
  return (
    <Dialog
      open
      wide
      title={`Answered by ${answeredBy(decision)}`}
      description={formatInstant(at)}
      onOpenChange={onClose}
      footer={
        <>
          <span className="mr-auto self-center text-sm text-second">Was this answer right?</span>
          <Button reason={offline} busy={report.isPending} onClick={() => say(0)}>
            Wrong
          </Button>
          <Button reason={offline} busy={report.isPending} onClick={() => say(1)}>
            Right
          </Button>
        </>
      }
    >
      <Facts>
        <Fact name="Reason">
          <Visible text={reason} />
        </Fact>
        <Fact name="Decided by">
          {CAUSE_WORDS[cause]}
          {cause === 'strategy' ? `: ${STRATEGY_WORDS[strategy].label}` : ''}
        </Fact>
        <Fact name="Confidence">{confidence === null ? 'not measured' : formatPercent(confidence)}</Fact>
        <Fact name="Complexity">{taskComplexity ?? 'the prompt was not read'}</Fact>
        <Fact name="Outcome">{outcomeWords(outcome)}</Fact>
        <Fact name="Session">
          {traceId === null ? session === null ? 'none' : 'not captured' : <TextLink href={traceHref(traceId)}>Open the session</TextLink>}
          {agent === null ? '' : ', in a sub-agent'}
        </Fact>
        <Fact name="Answer">
          <Visible text={error ?? (status === null ? 'none' : `HTTP ${status}`)} />
        </Fact>
        <Fact name="Model">{model ?? 'not named'}</Fact>
        <Fact name="First byte">{ms(firstTokenMs)}</Fact>
        <Fact name="Whole answer">{ms(latencyMs)}</Fact>
        <Fact name="Tokens">{tokens === null ? 'not measured' : formatCount(tokens)}</Fact>
        <Fact name="Cost">
          {costUsd === null ? 'not known' : dollars(costUsd)}
          {teacherUsd === null ? '' : `; at Claude the same tokens would have cost ${dollars(teacherUsd)}`}
        </Fact>
      </Facts>
    </Dialog>
  )
}
