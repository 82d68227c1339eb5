import { ButtonLink } from '#renderer/ui/link.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { useEnvironment } from '../queries.ts'

/** Before the first run: what comes here, and the one step that leads to it. */
export function FirstRun() {
  const environment = useEnvironment().data
  if (environment && environment.state !== 'ready') {
    const isInstalling = environment.state === 'installing'
    return (
      <EmptyState
        title={isInstalling ? 'The training environment is being installed' : 'One step before the first run'}
        ghost={<Ghost />}
        action={<ButtonLink href="/settings/training">{isInstalling ? 'Look at its progress' : 'Set up training'}</ButtonLink>}
      >
        {isInstalling
          ? 'A run can be started as soon as it is there. Its plan can be made now.'
          : `Training needs a Python with its libraries. ${environment.problem ?? 'None is set up on this machine.'} Settings → Training installs one, apart from everything else.`}
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No run yet" ghost={<Ghost />} action={<ButtonLink href="/training/new">Plan the first run</ButtonLink>}>
      A run makes a small model from a data set: you see before the start whether it fits, and watch its curve while it learns. Closing the
      app does not stop it.
    </EmptyState>
  )
}

/** The curve to come, without a scale: it says nothing but its shape. */
const Ghost = () => (
  <svg width={260} height={80} viewBox="0 0 260 80">
    <path d="M10 4V70H256" fill="none" stroke="var(--edge)" />
    <path d="M14 12C50 14 60 50 110 56S200 64 252 66" fill="none" stroke="var(--series-1)" strokeWidth={2} />
  </svg>
)
