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
            Take in the sample sessions
          </Button>
        )
      }
    >
      Every Claude Code session of this machine is kept here, with its score, also after the client has deleted it. Import your history in
      the{' '}
      <Link href="/settings/capture" className="text-accent underline">
        capture settings
      </Link>
      , or look round with samples, which can be removed again.
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
