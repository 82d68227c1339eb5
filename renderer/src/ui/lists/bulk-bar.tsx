import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAnnounce } from '../announcer.tsx'
import { Button, IconButton } from '../button.tsx'
import { formatCount } from '../format.ts'

/** What is selected, and what can be done to all of it at once. */
export function BulkBar({
  noun,
  count,
  all,
  clearKeys,
  onClear,
  children,
}: {
  /** In the plural: "sessions". */
  noun: string
  count: number
  /** All that the filter matches, also what is not loaded; without it only loaded rows can be selected. */
  all?: { isChosen: boolean; total: number; choose: () => void }
  /** Key that clears the selection, as printed. */
  clearKeys: string
  onClear: () => void
  children: ReactNode
}) {
  const selected = all?.isChosen === true ? `All ${formatCount(count)} matching ${noun}` : `${formatCount(count)} selected`
  useAnnounce(selected)
  return (
    <div role="toolbar" aria-label={`Selected ${noun}`} className="@container border-b border-line bg-raised px-4 py-1.5 text-sm">
      <div className="flex items-start gap-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
          <span className="font-semibold whitespace-nowrap">{selected}</span>
          {all && !all.isChosen && all.total > count ? (
            <Button size="small" look="quiet" onClick={all.choose}>
              Select all {formatCount(all.total)} <span className="-ml-1 hidden @min-[860px]:inline">that match</span>
            </Button>
          ) : null}
          {children}
        </div>
        <IconButton size="small" icon={X} label="Clear selection" keys={clearKeys} onClick={onClear} />
      </div>
    </div>
  )
}
