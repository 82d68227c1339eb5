import { useCallback, useMemo, useRef, useState } from 'react'
import type { ArchiveFinding } from '#contracts/entities/privacy.ts'
import { usePrivacy } from '#renderer/api/privacy.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { useAnnounce } from '#renderer/ui/announcer.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { plural } from '#renderer/ui/format.ts'
import { ButtonLink } from '#renderer/ui/link.tsx'
import type { RowGridHandle } from '#renderer/ui/lists/row-grid-types.ts'
import { useRowKeys } from '#renderer/ui/lists/row-keys.ts'
import { useListSelection } from '#renderer/ui/lists/use-list-selection.ts'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { toast } from '#renderer/ui/toast.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { useDecisionActions, type Choice } from './actions.ts'
import { FindingList, FindingsSkeleton } from './finding-list.tsx'
import { FindingsBar } from './findings-bar.tsx'
import { useFindings } from './queries.ts'
import { refusalOf, type ScopeName } from './scopes.ts'
import { isFiltered, NO_FILTER, queryOf, type ReviewUrl } from './url-state.ts'
import type { ChangeUrl } from './use-url.ts'

interface Props {
  url: ReviewUrl
  change: ChangeUrl
  open: ArchiveFinding | null
  scope: ScopeName
  onScope: (scope: ScopeName) => void
  onDecide: (findings: readonly ArchiveFinding[], choice: Choice) => void
}

/** The findings with selection and keys. */
export function ListPane({ url, change, open, scope, onScope, onDecide }: Props) {
  const list = useFindings(url)
  const actions = useDecisionActions()
  const handle = useRef<RowGridHandle>(null)
  const [currentId, setCurrentId] = useState<string | null>(url.id)
  const { rows, total, more } = useRows(list)
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const { selection, select, clear, selectedIds, grid } = useListSelection({
    ids,
    total,
    filter: JSON.stringify(queryOf(url)),
    onOpen: useCallback(
      ({ id }: ArchiveFinding) => {
        setCurrentId(id)
        change({ id })
      },
      [change],
    ),
  })
  const selected = useMemo(() => {
    const selectedSet = new Set(selectedIds)
    return rows.filter(({ id }) => selectedSet.has(id))
  }, [rows, selectedIds])
  const current = rows.find(({ id }) => id === (url.id ?? currentId)) ?? (url.id === null ? null : open)

  const goTo = (id: string) => {
    setCurrentId(id)
    handle.current?.show(ids.indexOf(id))
    // an open finding follows the list
    if (url.id !== null) change({ id }, { replace: true })
  }
  const decide = (choice: Choice) => {
    const findings = selected.length > 0 ? selected : current ? [current] : []
    const refusal = refusalOf(findings, scope, choice.action)
    if (refusal) toast.info('Decision not saved', refusal)
    else onDecide(findings, choice)
  }
  useKeys({
    ...useRowKeys({ ids, currentId: current?.id ?? null, selection, goTo, select }),
    open: () => {
      if (!current || url.id === current.id) return false
      change({ id: current.id })
      return true
    },
    back: () => {
      if (selected.length > 0) clear()
      else if (url.id !== null) {
        setCurrentId(url.id)
        change({ id: null })
        handle.current?.focus()
      } else return false
      return true
    },
    keepFinding: () => decide({ action: 'keep' }),
    redactFinding: () => decide({ action: 'redact' }),
    replaceFinding: () => decide({ action: 'replace' }),
    undo: () => void actions.undo(),
  })
  const places = list.data?.pages.at(-1)?.places ?? 0
  const totalText = url.value === null ? `${plural(total, 'value')} in ${plural(places, 'place')}` : plural(total, 'place')
  useAnnounce(list.data && !list.isPlaceholderData ? totalText : '')

  if (list.error && !list.data)
    return <ErrorState title="Couldn't load the findings" error={list.error} retry={() => void list.refetch()} className="m-4" />
  if (!list.data) return <FindingsSkeleton />
  if (rows.length === 0 && !list.isFetching) return <EmptyList url={url} change={change} />
  return (
    <>
      {selected.length > 0 ? (
        <FindingsBar
          findings={selected}
          scope={scope}
          onScope={onScope}
          onDecide={(choice) => onDecide(selected, choice)}
          onClear={clear}
        />
      ) : null}
      <FindingList
        {...grid}
        ref={handle}
        rows={rows}
        total={total}
        currentId={current?.id ?? null}
        openId={url.id}
        stale={list.isPlaceholderData}
        onEnd={more}
      />
      <p className="border-t border-line px-4 py-1 text-xs text-second">
        {totalText}
        {list.isFetchingNextPage ? ', loading more' : ''}
      </p>
    </>
  )
}

function EmptyList({ url, change }: { url: ReviewUrl; change: ChangeUrl }) {
  const status = usePrivacy().data
  if (isFiltered(url))
    return (
      <EmptyState
        title="No matching findings"
        action={
          <Button look="primary" onClick={() => change({ ...NO_FILTER, types: [] })}>
            Clear filter
          </Button>
        }
      >
        Remove a term from the filter, or widen its range.
      </EmptyState>
    )
  if (!status || status.scanned + status.outstanding === 0)
    return (
      <EmptyState title="No sessions yet" action={<ButtonLink href="/settings/capture">Import your history</ButtonLink>}>
        Secrets and personal data found in your sessions appear here: what was found, where, and what happens to it on export.
      </EmptyState>
    )
  return (
    <EmptyState title={status.outstanding > 0 ? 'Nothing found so far' : 'No findings'}>
      {status.outstanding > 0
        ? `${plural(status.outstanding, 'session')} ${status.outstanding === 1 ? 'is' : 'are'} not scanned yet.`
        : `No secrets or personal data found in ${plural(status.scanned, 'session')}. The detectors find most of them, not all.`}
    </EmptyState>
  )
}
