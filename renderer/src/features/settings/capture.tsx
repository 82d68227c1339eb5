import { Download } from 'lucide-react'
import { useCapture, useScan, useStartImport } from '#renderer/api/capture.ts'
import { agentWord } from '#renderer/app/words/agents.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { SwitchRow } from '#renderer/ui/form-rows.tsx'
import { formatBytes, formatCount } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { toast } from '#renderer/ui/toast.tsx'
import HooksSetup from './hooks-setup.tsx'
import { ShellEdits } from './shell-edits.tsx'
import { PathList } from '#renderer/app/path-list.tsx'
import { useChange } from '#renderer/app/use-setting.ts'

export function CaptureSection() {
  const { settings, offline, change } = useChange()
  const { paused, followLinks } = settings.capture
  return (
    <>
      <Section title="Hooks" note="They notify Bash Gym as soon as a session changes">
        <HooksSetup />
      </Section>
      <Section
        title="Edits by shell commands"
        note="Claude Code can record which files a command changed, so that sessions restore and examine completely"
      >
        <ShellEdits />
      </Section>
      <Section title="Capture">
        <div>
          <SwitchRow
            label="Pause capture"
            hint="While capture is paused, nothing new is imported. What Claude Code writes in the meantime is imported when you resume, unless its clean-up deletes it first."
            checked={paused}
            disabled={offline !== null}
            onChange={(next) => change(next ? 'Capture paused' : 'Capture resumed', { capture: { paused: next } })}
          />
          <SwitchRow
            label="Follow links"
            hint="Read sessions through symbolic links that lead outside your agents' folders. When off, such links are listed as problems and not read. A link that your agents did not create may lead to files that are not yours to share."
            checked={followLinks}
            disabled={offline !== null}
            onChange={(next) => change(next ? 'Links are followed' : 'Links are not followed', { capture: { followLinks: next } })}
          />
          <ExcludedProjects />
        </div>
      </Section>
      <Sources />
    </>
  )
}

function ExcludedProjects() {
  const { settings, offline, change } = useChange()
  const { excludedProjects } = settings.capture
  return (
    <PathList
      id="exclude"
      label="Excluded projects"
      hint="Working directories, or patterns with *. Their sessions are never read. Sessions already imported stay until you remove them."
      paths={excludedProjects}
      placeholder="/home/me/work/secret-*"
      addLabel="Exclude project"
      removeLabel={(path) => `Include ${path} again`}
      chooseTitle="Exclude this project"
      reason={offline}
      onSave={(next) => change('Excluded projects', { capture: { excludedProjects: next } })}
    />
  )
}

function Sources() {
  const scan = useScan()
  const capture = useCapture()
  const startImport = useStartImport()
  const { offline } = useChange()
  return (
    <Section
      title="Session locations"
      actions={
        <Button
          icon={Download}
          size="small"
          reason={offline}
          busy={startImport.isPending}
          onClick={() =>
            startImport.mutate(undefined, { onSuccess: () => toast.info('Import started', 'Its progress is in the status bar.') })
          }
        >
          Import sessions
        </Button>
      }
    >
      <Fetched query={scan} what="session locations" bars={['h-16 w-full']}>
        {({ places }) => (
          <Table
            caption="Session locations"
            rows={places}
            keyOf={({ agent, path }) => `${agent} ${path}`}
            columns={[
              { id: 'path', label: 'Location', cell: ({ path }) => <span className="font-mono text-xs break-all">{path}</span> },
              { id: 'agent', label: 'Agent', cell: ({ agent }) => agentWord(agent) },
              { id: 'sessions', label: 'Sessions', numeric: true, cell: ({ sessions }) => formatCount(sessions) },
              { id: 'projects', label: 'Projects', numeric: true, cell: ({ projects }) => formatCount(projects) },
              { id: 'bytes', label: 'Size', numeric: true, cell: ({ bytes }) => formatBytes(bytes) },
              { id: 'unreadable', label: 'Unreadable', numeric: true, cell: ({ unreadable }) => formatCount(unreadable) },
              { id: 'used', label: 'Last used', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} className="whitespace-nowrap" /> },
            ]}
          />
        )}
      </Fetched>
      {capture.data && capture.data.watching.length > 0 ? (
        <p className="text-xs text-second">
          Watched for changes: <span className="font-mono break-all">{capture.data.watching.join(', ')}</span>
        </p>
      ) : null}
    </Section>
  )
}
