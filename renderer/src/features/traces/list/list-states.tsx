import { Link } from 'wouter'
import { useImportSamples, useRunningJob } from '#renderer/api/queries.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { TierMark } from '#renderer/ui/tier-mark.tsx'

/** Faint rows of the list to come. */
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

/** The archive holds no session yet. */
export function EmptyArchive() {
  const samples = useImportSamples()
  const running = useRunningJob('import', 'samples')
  const offline = useOfflineReason()
  return (
    <EmptyState
      title={running ? 'Sessions are coming in' : 'No sessions yet'}
      ghost={<Ghost />}
      action={
        running ? null : (
          <Button look="primary" busy={samples.isPending} reason={offline} onClick={() => samples.mutate()}>
            Load sample sessions
          </Button>
        )
      }
    >
      Sessions are kept here with their score, also after the agent has deleted them.{' '}
      <Link href="/welcome" className="text-accent underline">
        Import your history
      </Link>
      , or look around with sample sessions, which can be removed again.
    </EmptyState>
  )
}

/** There are sessions, but none under this filter. */
export const EmptyFilter = ({ words, onClear }: { words: string; onClear: () => void }) => (
  <EmptyState
    title="No session matches"
    action={
      <Button look="primary" onClick={onClear}>
        Clear the filter
      </Button>
    }
  >
    Nothing in the archive fits <span className="font-mono text-sm break-words text-text">{words}</span>. Take out a term, or widen its
    range.
  </EmptyState>
)
