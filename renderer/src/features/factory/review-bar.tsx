import type { ReviewState } from '#contracts/entities/example.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { BulkBar } from '#renderer/ui/lists/bulk-bar.tsx'
import { ReviewButtons } from './review-buttons.tsx'

interface Props {
  noun: 'examples' | 'pairs'
  count: number
  all: { isChosen: boolean; total: number; choose: () => void }
  onReview: (state: ReviewState) => void
  onClear: () => void
}

/** Reviews all selected items at once, with a single undo. */
export function ReviewBar({ onReview, ...rest }: Props) {
  return (
    <BulkBar {...rest} clearKeys={keyOf('back')}>
      <div className="ml-auto flex gap-2">
        <ReviewButtons onReview={onReview} />
      </div>
    </BulkBar>
  )
}
