import { Check, X } from 'lucide-react'
import type { ReviewState } from '#contracts/entities/example.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { Button } from '#renderer/ui/button.tsx'

const DECISIONS = [
  { state: 'accepted', label: 'Accept', icon: Check, key: 'accept', pressed: 'border-ok! bg-ok/12!' },
  { state: 'rejected', label: 'Reject', icon: X, key: 'reject', pressed: 'border-bad! bg-bad/12!' },
] as const

/** Accepts, rejects, or returns to review. `state`: of the open item; absent for a selection. */
export function ReviewButtons({ state, onReview }: { state?: ReviewState; onReview: (state: ReviewState) => void }) {
  const offline = useOfflineReason()
  const size = state === undefined ? 'small' : 'normal'
  return (
    <>
      {DECISIONS.map(({ state: decision, label, icon, key, pressed }) => (
        <Button
          key={decision}
          size={size}
          icon={icon}
          keys={keyOf(key)}
          aria-pressed={state && state === decision}
          className={state === decision ? pressed : ''}
          reason={offline}
          onClick={() => onReview(decision)}
        >
          {label}
        </Button>
      ))}
      {state === 'proposed' ? null : (
        <Button size={size} look="quiet" reason={offline} onClick={() => onReview('proposed')}>
          Return to review
        </Button>
      )}
    </>
  )
}
