import { Link } from 'wouter'
import { useImportSamples } from '#renderer/api/capture.ts'
import { useRunningJob } from '#renderer/api/jobs.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { TierMark } from '#renderer/ui/tier-mark.tsx'

/** Faint placeholder rows. */
const Ghost = () => (
  <div className="flex w-72 flex-col gap-2">
    {(['gold', 'silver', 'bronze'] as const).map((tier) => (
      <div key={tier} className="flex items-center gap-3 border-b border-line pb-2">
        <TierMark mark={tier} />
        <span className="h-3 flex-1 rounded-sm bg-raised" />
        <span className="h-3 w-12 rounded-sm bg-raised" />
      </div>
    ))}
  </div>
)

/** The archive has no sessions yet. */
export function EmptyArchive() {
  const samples = useImportSamples()
  const running = useRunningJob('import', 'samples')
  const offline = useOfflineReason()
  return (
    <EmptyState
      title={running ? 'Importing sessions' : 'No sessions yet'}
      ghost={<Ghost />}
      action={
        running ? null : (
          <Button look="primary" busy={samples.isPending} reason={offline} onClick={() => samples.mutate()}>
            Load sample sessions
          </Button>
        )
      }
    >
      Your sessions appear here with their scores, and stay after the agent deletes its copies.{' '}
      <Link href="/welcome" className="text-accent underline">
        Import your history
      </Link>
      , or look around with sample sessions, which you can remove later.
    </EmptyState>
  )
}

/** There are sessions, but none under this filter. */
export const EmptyFilter = ({ words, onClear }: { words: string; onClear: () => void }) => (
  <EmptyState
    title="No matching sessions"
    action={
      <Button look="primary" onClick={onClear}>
        Clear filter
      </Button>
    }
  >
    No session in the archive matches <span className="font-mono text-sm break-words text-text">{words}</span>. Remove a term or widen its
    range.
  </EmptyState>
)
