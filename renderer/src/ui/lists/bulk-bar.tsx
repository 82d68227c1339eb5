import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAnnounce } from '../announcer.tsx'
import { Button, IconButton } from '../button.tsx'
import { formatCount } from '../format.ts'

/** The number of selected rows, and actions on all of them. */
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
  /** Offers to select everything that matches the filter; without it only loaded rows can be selected. */
  all?: { isChosen: boolean; total: number; choose: () => void }
  /** Key that clears the selection. */
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
