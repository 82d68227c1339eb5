import { Link } from 'wouter'
import type { Environment, EnvironmentSession } from '#contracts/entities/environment.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useEnvironmentActs } from '#renderer/api/environments.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Table } from '#renderer/ui/table.tsx'

/** A server, and who uses it. */
export function ServerPart({ environment, token }: { environment: Environment; token: string | null }) {
  const { id, url, spec, sessions, taskCount, startedAt, needsToken } = environment
  const { stop } = useEnvironmentActs()
  const offline = useOfflineReason()
  const about = [
    spec.mode,
    `form ${spec.form}`,
    `reward ${spec.reward}`,
    `${sessions.length} of ${plural(spec.maxSessions, 'session')}`,
    taskCount === null ? 'no tasks of its own' : plural(taskCount, 'task'),
  ]
  return (
    <Section
      title={url}
      note={about.join(' · ')}
      actions={
        <Button reason={offline} busy={stop.isPending} onClick={() => stop.mutate(id)}>
          Stop
        </Button>
      }
    >
      <p className="text-sm text-second">
        Started <RelativeTime at={startedAt} />.{' '}
        {needsToken ? 'Callers show its token.' : 'Programs of your user on this machine need no token.'}
        {needsToken && token === null ? ' It was shown when the server was started.' : ''}
      </p>
      {token === null ? null : <CodeBlock label="the token" text={token} />}
      {sessions.length === 0 ? <p className="text-sm text-second">Nobody is connected.</p> : <Sessions sessions={sessions} />}
    </Section>
  )
}

const Sessions = ({ sessions }: { sessions: EnvironmentSession[] }) => (
  <Table
    caption="Sessions"
    rows={sessions}
    keyOf={({ id }) => id}
    columns={[
      { id: 'episode', label: 'Episode', cell: ({ episodeId }) => <span className="font-mono text-xs">{episodeId}</span> },
      { id: 'task', label: 'Task', cell: ({ taskId }) => taskId ?? '–' },
      {
        id: 'sandbox',
        label: 'Sandbox',
        cell: ({ sandboxId }) =>
          sandboxId === null ? (
            '–'
          ) : (
            <Link href={`/arena/${sandboxId}`} className="text-accent hover:underline">
              {sandboxId.slice(0, 8)}
            </Link>
          ),
      },
      { id: 'steps', label: 'Steps', cell: ({ steps }) => steps },
      { id: 'state', label: 'State', cell: ({ done }) => <Badge>{done ? 'over' : 'at work'}</Badge> },
      { id: 'reward', label: 'Reward', cell: ({ reward }) => (reward === null ? '–' : reward.toFixed(2)) },
      { id: 'used', label: 'Last used', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
    ]}
  />
)
