import { PlugZap, Unplug } from 'lucide-react'
import { useState } from 'react'
import type { HooksReport } from '#contracts/entities/capture.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useChangeHooks, useHooks, useHooksPreview } from '#renderer/api/capture.ts'
import { Badge, type Tone } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { DiffBlock } from '#renderer/ui/code-block.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { toast } from '#renderer/ui/toast.tsx'

/** State of the hooks, and the exact change that installing or removing them makes. */
export default function HooksSetup() {
  return (
    <Fetched query={useHooks()} what="hook status" bars={['h-5 w-80', 'h-[400px] w-full']}>
      {(report) => (
        <div className="flex flex-col gap-4">
          <Problems report={report} />
          {report.installed ? <InstalledHooks report={report} /> : <HooksChange action="install" />}
        </div>
      )}
    </Fetched>
  )
}

function Problems({ report }: { report: HooksReport }) {
  if (report.problems.length === 0) return null
  return (
    <div role="alert" className="rounded border border-warn p-3 text-sm">
      <ul className="flex flex-col gap-1">
        {report.problems.map((problem) => (
          <li key={`${problem.kind} ${problem.message}`}>{problem.message}</li>
        ))}
      </ul>
    </div>
  )
}

const STATE: Record<HooksReport['events'][number]['state'], { tone: Tone; word: string }> = {
  installed: { tone: 'ok', word: 'installed' },
  missing: { tone: 'warn', word: 'missing' },
  unsupported: { tone: 'neutral', word: 'not supported' },
  'not-registered': { tone: 'neutral', word: 'not used' },
}

function InstalledHooks({ report }: { report: HooksReport }) {
  const [isRemoving, setRemoving] = useState(false)
  const missing = report.events.some(({ state }) => state === 'missing')
  return (
    <>
      <Facts>
        <Fact name="Client">
          {report.clientVersion ? `Claude Code ${report.clientVersion}` : 'version unknown: only hooks that every version supports'}
        </Fact>
        <Fact name="Settings file" mono>
          {report.settingsFile}
        </Fact>
        <Fact name="Script" mono>
          {report.scriptFile}
        </Fact>
        {report.backupFile ? (
          <Fact name="Backup" mono>
            {report.backupFile}
          </Fact>
        ) : null}
      </Facts>
      <Table
        caption="Hook events"
        rows={report.events}
        keyOf={({ event }) => event}
        columns={[
          { id: 'event', label: 'Event', cell: ({ event }) => <span className="font-mono text-xs">{event}</span> },
          { id: 'state', label: 'State', cell: ({ state }) => <Badge tone={STATE[state].tone}>{STATE[state].word}</Badge> },
          { id: 'why', label: 'Why', cell: ({ why }) => <span className="text-second">{why}</span> },
        ]}
      />
      {missing ? <HooksChange action="install" /> : null}
      {isRemoving ? (
        <HooksChange action="uninstall" onDone={() => setRemoving(false)} />
      ) : (
        <div>
          <Button icon={Unplug} onClick={() => setRemoving(true)}>
            Remove hooks …
          </Button>
        </div>
      )}
    </>
  )
}

function HooksChange({ action, onDone }: { action: 'install' | 'uninstall'; onDone?: () => void }) {
  const preview = useHooksPreview(action)
  const change = useChangeHooks(action)
  const offline = useOfflineReason()
  const isInstall = action === 'install'
  // awaits the promise because callbacks of the mutation do not run after this component is unmounted
  const apply = async () => {
    const report = await change.mutateAsync().catch(() => null) // an error is shown below
    if (!report) return
    toast.done(isInstall ? 'Hooks installed' : 'Hooks removed', report.backupFile ? `Backup: ${report.backupFile}` : undefined)
    onDone?.()
  }

  if (preview.error && !preview.data) {
    return (
      <ErrorState
        title={isInstall ? "Couldn't prepare the installation" : "Couldn't prepare the removal"}
        error={preview.error}
        retry={() => void preview.refetch()}
      />
    )
  }
  if (!preview.data) {
    return (
      <Loading label="Preparing the change">
        {/* as high as the usual change, so that the page below stays where it is */}
        <Skeleton className="h-[430px] w-full" />
      </Loading>
    )
  }
  const { settingsFile, exists, diff, changed } = preview.data
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm">
        {exists ? 'This changes ' : 'This creates '}
        <span className="font-mono text-xs break-all">{settingsFile}</span>
        {exists ? '; a backup of the current file is kept.' : '.'}
      </p>
      {changed ? (
        <DiffBlock diff={diff} label={`Change to ${settingsFile}`} className="max-h-80" />
      ) : (
        <p className="text-sm text-second">No change is needed.</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          look={isInstall ? 'primary' : 'danger'}
          icon={isInstall ? PlugZap : Unplug}
          busy={change.isPending}
          reason={offline ?? (changed ? null : 'The file is already up to date.')}
          onClick={() => void apply()}
        >
          {isInstall ? 'Install hooks' : 'Remove hooks'}
        </Button>
        {onDone ? (
          <Button look="quiet" onClick={onDone}>
            Cancel
          </Button>
        ) : null}
      </div>
      {change.error ? (
        <ErrorState
          title={isInstall ? "Couldn't install the hooks" : "Couldn't remove the hooks"}
          error={change.error}
          retry={() => void preview.refetch()}
        />
      ) : null}
    </div>
  )
}
