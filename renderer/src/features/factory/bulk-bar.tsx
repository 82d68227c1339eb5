import { X } from 'lucide-react'
import type { ReviewState } from '#contracts/entities/example.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { useAnnounce } from '#renderer/ui/announcer.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { formatCount } from '#renderer/ui/format.ts'

interface Props {
  /** What is reviewed, in the plural. */
  noun: 'examples' | 'pairs'
  count: number
  total: number
  /** All that the filter matches, also what is not loaded. */
  isAll: boolean
  onAll: () => void
  onReview: (state: ReviewState) => void
  onClear: () => void
}

/** What is selected, and what can be done to all of it at once; undone as one. */
export function BulkBar({ noun, count, total, isAll, onAll, onReview, onClear }: Props) {
  const offline = useOfflineReason()
  const selected = isAll ? `All ${formatCount(count)} ${noun} that match` : `${formatCount(count)} selected`
  useAnnounce(selected)
  return (
    <div
      role="toolbar"
      aria-label={`Selected ${noun}`}
      className="flex items-start gap-2 border-b border-line bg-raised px-4 py-1.5 text-sm"
    >
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
        <span className="font-semibold whitespace-nowrap">{selected}</span>
        {!isAll && total > count ? (
          <Button size="small" look="quiet" onClick={onAll}>
            Select all {formatCount(total)} that match
          </Button>
        ) : null}
        <div className="ml-auto flex gap-2">
          <Button size="small" keys={keyOf('accept')} reason={offline} onClick={() => onReview('accepted')}>
            Accept
          </Button>
          <Button size="small" keys={keyOf('reject')} reason={offline} onClick={() => onReview('rejected')}>
            Reject
          </Button>
          <Button size="small" look="quiet" reason={offline} onClick={() => onReview('proposed')}>
            Return to review
          </Button>
        </div>
      </div>
      <IconButton size="small" icon={X} label="Clear selection" keys={keyOf('back')} onClick={onClear} />
    </div>
  )
}
