import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { Settings } from '#contracts/entities/settings.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { useChange } from '#renderer/app/use-setting.ts'

type Command = Settings['scoring']['verificationCommands'][number]
const KINDS = [
  { value: 'test', label: 'Test' },
  { value: 'build', label: 'Build' },
  { value: 'lint', label: 'Lint' },
] as const

/** The user's verification commands, in addition to the recognised ones. */
export function VerificationCommands() {
  const { settings, offline, change } = useChange()
  const commands = settings.scoring.verificationCommands
  const [draft, setDraft] = useState<Command>({ project: '', command: '', kind: 'test' })
  const save = (next: Command[]) => change('Verification commands', { scoring: { verificationCommands: next } })
  const reason = draft.project.trim() && draft.command.trim() ? null : 'Enter a project folder and a command first.'
  return (
    <Section title="Verification commands" note="Recognised in addition to npm test, pytest, cargo build and many others">
      {commands.length > 0 ? (
        <Table
          caption="Your verification commands"
          rows={commands}
          keyOf={({ project, command }) => `${project} ${command}`}
          columns={[
            { id: 'project', label: 'Project', cell: ({ project }) => <span className="font-mono text-xs break-all">{project}</span> },
            { id: 'command', label: 'Command', cell: ({ command }) => <span className="font-mono text-xs break-all">{command}</span> },
            { id: 'kind', label: 'Kind', cell: ({ kind }) => kind },
            {
              id: 'remove',
              label: '',
              cell: (row) => (
                <IconButton
                  label={`Remove ${row.command}`}
                  icon={X}
                  reason={offline}
                  onClick={() => save(commands.filter((other) => other !== row))}
                />
              ),
            },
          ]}
        />
      ) : null}
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (reason ?? offline) return
          save([...commands, { ...draft, project: draft.project.trim(), command: draft.command.trim() }])
          setDraft({ project: '', command: '', kind: draft.kind })
        }}
      >
        <label className="flex min-w-48 flex-1 flex-col gap-1 text-xs text-second" htmlFor="verify-project">
          Project folder
          <TextInput
            id="verify-project"
            className="font-mono"
            value={draft.project}
            onChange={(project) => setDraft({ ...draft, project })}
          />
        </label>
        <label className="flex min-w-48 flex-1 flex-col gap-1 text-xs text-second" htmlFor="verify-command">
          Command
          <TextInput
            id="verify-command"
            className="font-mono"
            value={draft.command}
            placeholder="make check"
            onChange={(command) => setDraft({ ...draft, command })}
          />
        </label>
        <Select label="Kind" value={draft.kind} options={KINDS} onChange={(kind) => setDraft({ ...draft, kind })} />
        <Button type="submit" icon={Plus} reason={offline ?? reason}>
          Add command
        </Button>
      </form>
    </Section>
  )
}
