import type { Environment, EnvironmentSession } from '#contracts/entities/environment.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useEnvironmentActions } from '#renderer/api/environments.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { DASH, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { rewardWord } from '../rollouts/words.ts'
import { MESSAGE_FORMS } from '../message-forms.ts'
import { REWARD_WORDS } from './words.ts'

/** A server with its sessions. */
export function ServerPart({ environment, token }: { environment: Environment; token: string | null }) {
  const { id, url, spec, sessions, taskCount, startedAt } = environment
  const { stop } = useEnvironmentActions()
  const offline = useOfflineReason()
  const about = [
    `message format: ${MESSAGE_FORMS.find(({ value }) => value === spec.form)!.label.toLowerCase()}`,
    `reward: ${REWARD_WORDS[spec.reward].toLowerCase()}`,
    `${sessions.length} of ${plural(spec.maxSessions, 'session')}`,
    taskCount === null ? 'tasks sent by the trainer' : plural(taskCount, 'task'),
    ...(spec.mode === 'production' ? ['WebSocket only'] : []),
  ]
  return (
    <Section
      title={url}
      note={about.join(' · ')}
      actions={
        <Button reason={offline} busy={stop.isPending} onClick={() => stop.mutate(id)}>
          Stop server
        </Button>
      }
    >
      <p className="text-sm text-second">
        Started <RelativeTime at={startedAt} />. Clients must send its token.
        {token === null ? ' It was shown once, when the server was started.' : ''}
      </p>
      {token === null ? null : <CodeBlock label="the token" text={token} />}
      {sessions.length === 0 ? <p className="text-sm text-second">No trainer is connected.</p> : <Sessions sessions={sessions} />}
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
      { id: 'task', label: 'Task', cell: ({ taskId }) => taskId ?? DASH },
      {
        id: 'sandbox',
        label: 'Sandbox',
        cell: ({ sandboxId }) =>
          sandboxId === null ? DASH : <TextLink href={`/sandboxes/${sandboxId}`}>{sandboxId.slice(0, 8)}</TextLink>,
      },
      { id: 'steps', label: 'Steps', numeric: true, cell: ({ steps }) => steps },
      { id: 'state', label: 'State', cell: ({ done }) => <Badge>{done ? 'ended' : 'running'}</Badge> },
      {
        id: 'reward',
        label: 'Reward',
        numeric: true,
        cell: ({ reward }) => rewardWord(reward),
      },
      { id: 'used', label: 'Last used', numeric: true, cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
    ]}
  />
)
