import { X } from 'lucide-react'
import type { ReviewState } from '#contracts/entities/example.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { useAnnounce } from '#renderer/ui/announcer.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { formatCount } from '#renderer/ui/format.ts'

interface Props {
  count: number
  onReview: (state: ReviewState) => void
  onClear: () => void
}

/** What is selected, and what can be done to all of it at once; undone as one. */
export function BulkBar({ count, onReview, onClear }: Props) {
  const offline = useOfflineReason()
  const selected = `${formatCount(count)} selected`
  useAnnounce(selected)
  return (
    <div
      role="toolbar"
      aria-label="Selected examples"
      className="flex items-center gap-2 border-b border-line bg-raised px-4 py-1.5 text-sm"
    >
      <span className="flex-1 font-semibold whitespace-nowrap">{selected}</span>
      <Button size="small" keys={keyOf('accept')} reason={offline} onClick={() => onReview('accepted')}>
        Accept
      </Button>
      <Button size="small" keys={keyOf('reject')} reason={offline} onClick={() => onReview('rejected')}>
        Reject
      </Button>
      <Button size="small" look="quiet" reason={offline} onClick={() => onReview('proposed')}>
        Undecided
      </Button>
      <IconButton size="small" icon={X} label="Clear the selection" keys={keyOf('back')} onClick={onClear} />
    </div>
  )
}
