import { useMutation, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { api } from '#renderer/api/client.ts'
import { scoringKeys, useCommandOverrides } from '#renderer/api/scoring.ts'
import { VERDICT_WORDS } from '#renderer/app/words/verdicts.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { Visible } from '#renderer/ui/visible.tsx'

/** Commands that the user marked in sessions, each with a button that removes the mark. */
export function CommandOverrides() {
  const client = useQueryClient()
  const offline = useOfflineReason()
  const overrides = useCommandOverrides()
  const remove = useMutation({
    mutationFn: (id: string) => api.removeCommandOverride({ params: { id }, query: {} }),
    onSuccess: () =>
      Promise.all([scoringKeys.commandOverrides, scoringKeys.anyStepCommands].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
  return (
    <Section title="Commands you marked" note="Set on a command in a session; the project's sessions are then rescored">
      {(overrides.error ?? remove.error) ? (
        <ErrorState
          title="Couldn't load or change the marked commands"
          error={(overrides.error ?? remove.error)!}
          retry={() => void overrides.refetch().then(() => remove.reset())}
        />
      ) : null}
      {overrides.data?.items.length === 0 ? (
        <p className="text-sm text-second">
          None. Open a command in a session and choose “This is a test command” or “Not a test command”.
        </p>
      ) : null}
      {overrides.data && overrides.data.items.length > 0 ? (
        <Table
          caption="Commands you marked"
          rows={overrides.data.items}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'project',
              label: 'Project',
              cell: ({ project }) => <span className="font-mono text-xs break-all">{project || 'all'}</span>,
            },
            {
              id: 'command',
              label: 'Command',
              cell: ({ words }) => (
                <span className="font-mono text-xs break-all">
                  <Visible text={words} />
                </span>
              ),
            },
            { id: 'verdict', label: 'Marked as', cell: ({ verdict }) => VERDICT_WORDS[verdict] },
            {
              id: 'remove',
              label: '',
              cell: ({ id, words }) => <IconButton label={`Remove ${words}`} icon={X} reason={offline} onClick={() => remove.mutate(id)} />,
            },
          ]}
        />
      ) : null}
    </Section>
  )
}
