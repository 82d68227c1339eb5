import type { Task } from '#contracts/entities/task.ts'
import { useSandbox } from '#renderer/api/sandboxes.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { isMissing } from '#renderer/ui/not-read.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { Shell } from '#renderer/app/sandbox-shell/shell.tsx'

/** The terminal of the sandbox that the agent works in, to watch or take over. */
export function TaskSandbox({ task }: { task: Task }) {
  if (task.sandboxId === null) {
    return (
      <Section title="Sandbox">
        <p className="text-sm text-second">{task.endedAt === null ? 'It has none yet.' : 'None was started.'}</p>
      </Section>
    )
  }
  return <Known id={task.sandboxId} hasShell={task.request.agent === 'shell'} />
}

/** Only the shell agent uses a terminal of the sandbox; others would show an empty one. */
function Known({ id, hasShell }: { id: string; hasShell: boolean }) {
  const sandbox = useSandbox(id)
  if (sandbox.data) {
    return (
      <div className="flex flex-col gap-2">
        {hasShell ? <Shell sandbox={sandbox.data} /> : null}
        <p className="text-xs text-second">
          <TextLink href={`/sandboxes/${id}`}>Files, limits and isolation of this sandbox</TextLink>
        </p>
      </div>
    )
  }
  if (sandbox.error) {
    return (
      <Section title="Sandbox">
        {isMissing(sandbox.error) ? (
          <p className="text-sm text-second">It was removed.</p>
        ) : (
          <ErrorState title="Couldn't load the sandbox" error={sandbox.error} retry={() => void sandbox.refetch()} />
        )}
      </Section>
    )
  }
  return (
    <Loading label="Loading the sandbox">
      <Skeleton className="h-40 w-full" />
    </Loading>
  )
}
