import type { ReviewState } from '#contracts/entities/example.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { Button } from '#renderer/ui/button.tsx'
import { BulkBar } from '#renderer/ui/lists/bulk-bar.tsx'

interface Props {
  /** What is reviewed, in the plural. */
  noun: 'examples' | 'pairs'
  count: number
  all: { isChosen: boolean; total: number; choose: () => void }
  onReview: (state: ReviewState) => void
  onClear: () => void
}

/** One decision about all that is selected; undone as one. */
export function ReviewBar({ onReview, ...rest }: Props) {
  const offline = useOfflineReason()
  return (
    <BulkBar {...rest} clearKeys={keyOf('back')}>
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
    </BulkBar>
  )
}
