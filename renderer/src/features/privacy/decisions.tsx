import { Undo2 } from 'lucide-react'
import type { PrivacyDecision } from '#contracts/entities/privacy.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { actionWord, scopeWord, strategyWord } from '#renderer/app/words/privacy.ts'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Skeletons } from '#renderer/ui/skeletons.tsx'
import { EmptyState, ErrorState, Loading } from '#renderer/ui/states.tsx'
import { VirtualList } from '#renderer/ui/lists/virtual-list.tsx'
import { usePages } from '#renderer/ui/lists/pages.ts'
import { useDecisionActions } from './actions.ts'
import { useDecisions } from './queries.ts'
import { formatUrl, parseUrl } from './url-state.ts'

const ROW_PX = 40

/** All decisions, newest first, including undone ones. */
export function Decisions() {
  const list = useDecisions()
  const { rows, total, more } = usePages(list)
  if (list.error && !list.data)
    return <ErrorState title="Couldn't load the decisions" error={list.error} retry={() => void list.refetch()} className="m-4" />
  if (!list.data)
    return (
      <Loading label="Loading decisions" className="flex flex-col gap-3 p-4">
        <Skeletons count={3} className="h-6 w-full" />
      </Loading>
    )
  if (rows.length === 0)
    return (
      <EmptyState title="No decisions yet">
        The policy applies to every finding. Your own decisions about a finding, a value, a project or a type appear here, and you can undo
        them at any time.
      </EmptyState>
    )
  return (
    <>
      <VirtualList items={rows} total={total} estimate={ROW_PX} keyOf={({ id }) => id} label="Decisions" onEnd={more}>
        {(decision) => <Row decision={decision} />}
      </VirtualList>
      <p className="border-t border-line px-4 py-1 text-xs text-second">
        {plural(total, 'decision')}
        {total > rows.length ? `, ${formatCount(rows.length)} loaded` : ''}
      </p>
    </>
  )
}

function Row({ decision }: { decision: PrivacyDecision }) {
  const { undoDecision } = useDecisionActions()
  const offline = useOfflineReason()
  const { on, action, strategy, at, undoneAt } = decision
  const words = scopeWord(on)
  const href = hrefOf(on)
  return (
    <div className="flex h-full items-center gap-3 border-b border-line px-4 text-sm">
      <span className={cn('w-28 shrink-0 font-semibold', undoneAt && 'text-second line-through')}>
        {actionWord(action)}
        {strategy ? <span className="block text-xs font-normal text-second">{strategyWord(strategy)}</span> : null}
      </span>
      <span className="min-w-0 flex-1 truncate" title={words}>
        {href === null ? words : <TextLink href={href}>{words}</TextLink>}
      </span>
      <RelativeTime at={at} className="hidden shrink-0 text-xs text-second sm:block" />
      <span className="flex w-28 shrink-0 justify-end">
        {undoneAt === null ? (
          <Button
            size="small"
            look="quiet"
            icon={Undo2}
            reason={offline}
            onClick={() => void undoDecision(decision.id, `${actionWord(action)}: ${words}`)}
          >
            Undo decision
          </Button>
        ) : (
          <span className="text-xs text-second">undone</span>
        )}
      </span>
    </div>
  )
}

/** A link to the findings that a decision covers. */
function hrefOf(on: PrivacyDecision['on']): string | null {
  const unfiltered = parseUrl('')
  if (on.scope === 'value') return formatUrl({ ...unfiltered, value: on.value })
  if (on.scope === 'type') return formatUrl({ ...unfiltered, types: [on.type] })
  if (on.scope === 'project') return formatUrl({ ...unfiltered, types: [on.type], project: on.project })
  return formatUrl({ ...unfiltered, id: on.finding })
}
