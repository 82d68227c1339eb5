import { ArrowLeft, RefreshCw } from 'lucide-react'
import { Button } from '#renderer/ui/button.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'

/** Shown if the archive does not have the session of a link. Nothing failed, so "Try again" is only the second button. */
export const NotHere = ({ id, onClose, onRetry }: { id: string; onClose: () => void; onRetry: () => void }) => (
  <section aria-label="Session not found" className="flex min-h-0 min-w-0 flex-1 flex-col justify-center">
    <EmptyState
      title="This session is not in the archive"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button look="primary" icon={ArrowLeft} onClick={onClose}>
            Back to the list
          </Button>
          <Button look="quiet" icon={RefreshCw} onClick={onRetry}>
            Try again
          </Button>
        </div>
      }
    >
      <p>
        It may have been forgotten, or it may be in another data directory or on another machine. Sample sessions disappear when you remove
        them.
      </p>
      <p>A session that has just started appears as soon as it is imported.</p>
      <p className="pt-2 font-mono text-xs break-all">{id}</p>
    </EmptyState>
  </section>
)
