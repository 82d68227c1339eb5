import { RESTORED_KIND_NAMES, type RestoredItem } from '#contracts/entities/restored.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useAllowRestoredItem, useRestored, useRestoredItems, type WantedRestored } from '#renderer/api/settings.ts'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { Visible } from '#renderer/ui/visible.tsx'

/** Rows of a restored backup that run, send and write nothing until the user chooses "Use again", with what each names. */
export function RestoredItemList({ wanted }: { wanted: WantedRestored }) {
  const items = useRestoredItems(wanted)
  const useAgain = useAllowRestoredItem()
  const offline = useOfflineReason()
  const rows = items.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      {rows.map((item) => (
        <li key={`${item.kind} ${item.id}`} className="flex flex-wrap items-start gap-x-3 gap-y-1 py-2">
          <span className="min-w-48">{describeKind(item)}</span>
          <div className="min-w-48 flex-1">
            <div className="break-words">
              <Visible text={item.title} />
            </div>
            {item.names.map(({ what, value }) => (
              <div key={`${what} ${value}`} className="text-xs text-second">
                {what}:{' '}
                <code className="font-mono break-all">
                  <Visible text={value} />
                </code>
              </div>
            ))}
          </div>
          <Button
            size="small"
            busy={useAgain.isPending}
            reason={offline}
            aria-label={`Use again: ${RESTORED_KIND_NAMES[item.kind][0]} ${item.title}`}
            onClick={() => useAgain.mutate(item.id)}
          >
            Use again
          </Button>
        </li>
      ))}
      {items.hasNextPage ? (
        <li className="py-2">
          <Button size="small" busy={items.isFetchingNextPage} onClick={() => void items.fetchNextPage()}>
            Show more
          </Button>
        </li>
      ) : null}
    </>
  )
}

/** On the page of what came from a restored backup: why it does nothing, and "Use again". Nothing on other pages. */
export function RestoredWaits({ className, ...wanted }: WantedRestored & { className?: string }) {
  const { data } = useRestored()
  const items = useRestoredItems(wanted, data !== undefined && data.waiting.length > 0)
  if (!items.data?.pages.some((page) => page.items.length > 0)) return null
  return (
    <section aria-label="From a restored backup" className={cn('rounded border border-warn px-4 py-3 text-sm', className)}>
      <p>
        <b>This comes from a restored backup.</b>{' '}
        <span className="text-second">
          It runs, sends and writes nothing until you allow it. Check what it names first: anyone could have made the backup.
        </span>
      </p>
      <ul className="flex flex-col divide-y divide-line">
        <RestoredItemList wanted={wanted} />
      </ul>
    </section>
  )
}

function describeKind({ kind, wasActive }: RestoredItem): string {
  const [one] = RESTORED_KIND_NAMES[kind]
  const name = one.charAt(0).toUpperCase() + one.slice(1)
  return wasActive && kind !== 'privacy-decision' ? `${name}, was queued or running` : name
}
