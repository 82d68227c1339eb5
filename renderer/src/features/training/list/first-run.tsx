import { ButtonLink } from '#renderer/ui/link.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { useTrainingEnvironment } from '#renderer/api/training-environment.ts'

export function FirstRun() {
  const environment = useTrainingEnvironment().data
  if (environment && environment.state !== 'ready') {
    const isInstalling = environment.state === 'installing'
    return (
      <EmptyState
        title={isInstalling ? 'The training environment is being installed' : 'Set up training first'}
        ghost={<Ghost />}
        action={<ButtonLink href="/settings/training">{isInstalling ? 'Show progress' : 'Set up training'}</ButtonLink>}
      >
        {isInstalling
          ? 'You can start a run once it is installed, and plan one now.'
          : `Training needs Python and its training libraries. ${environment.problem ?? 'None is set up on this machine.'} Settings → Training installs them separately from your other Python installations.`}
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No runs yet" ghost={<Ghost />} action={<ButtonLink href="/training/new">Plan your first run</ButtonLink>}>
      A run trains a small model on a data set. You see beforehand whether it fits in memory, and watch its curves while it trains. Closing
      the app does not stop it.
    </EmptyState>
  )
}

/** A sketch of a curve. */
const Ghost = () => (
  <svg width={260} height={80} viewBox="0 0 260 80">
    <path d="M10 4V70H256" fill="none" stroke="var(--edge)" />
    <path d="M14 12C50 14 60 50 110 56S200 64 252 66" fill="none" stroke="var(--series-1)" strokeWidth={2} />
  </svg>
)
