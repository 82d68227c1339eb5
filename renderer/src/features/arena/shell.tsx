import { Plus } from 'lucide-react'
import type { Sandbox } from '#contracts/entities/sandbox.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useOpenSession } from '#renderer/api/sandboxes.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { CommandLine } from './command-line.tsx'
import { LiveTerminal } from './live-terminal.tsx'
import { RecordedTerminal } from './recorded-terminal.tsx'

/** The sessions of a sandbox, one at a time: what it shows, and a line for commands. */
export function Shell({ sandbox }: { sandbox: Sandbox }) {
  const [search, change] = useSearchState()
  const offline = useOfflineReason()
  const open = useOpenSession(sandbox.id)
  const { terminals } = sandbox
  const names = terminals.map(({ session }) => session)
  const shown = terminals.find(({ session }) => session === search.get('session')) ?? terminals[0]
  const show = (session: string) => change({ session: session === names[0] ? null : session }, { replace: true })
  const isOpen = sandbox.status === 'started' || sandbox.status === 'exited'
  return (
    <Section
      title="Shell"
      actions={
        isOpen ? (
          <div className="flex flex-wrap items-center gap-2">
            {shown && names.length > 1 ? (
              <Segmented label="Session" value={shown.session} options={names.map((id) => ({ id, label: id }))} onChange={show} />
            ) : null}
            <Button
              size="small"
              icon={Plus}
              reason={offline}
              busy={open.isPending}
              onClick={() => {
                const name = freeName(names)
                open.mutate(name, { onSuccess: () => show(name) })
              }}
            >
              New session
            </Button>
          </div>
        ) : null
      }
    >
      {isOpen && shown ? (
        <div className="flex min-w-0 flex-col rounded border border-line bg-panel">
          <LiveTerminal key={shown.session} sandbox={sandbox} terminal={shown} />
          <CommandLine sandbox={sandbox} session={shown.session} isTakenOver={shown.takenOverBy !== null} />
        </div>
      ) : null}
      {isOpen && !shown ? (
        <p className="rounded border border-line bg-panel p-3 text-sm text-second">
          No session is open. Open one to go on; files are still there.
        </p>
      ) : null}
      {!isOpen && sandbox.startedAt !== null ? <RecordedTerminal id={sandbox.id} /> : null}
      {!isOpen && sandbox.startedAt === null ? (
        <p className="rounded border border-line bg-panel p-3 text-sm text-second">{waitingWords(sandbox)}</p>
      ) : null}
    </Section>
  )
}

function waitingWords({ phase, queuePosition, endReason }: Sandbox): string {
  if (queuePosition !== null) return `It waits for a place: it is number ${queuePosition} in line. The shell opens as soon as it runs.`
  if (phase !== null) return 'The shell opens as soon as the sandbox runs.'
  return endReason === null ? 'Start the sandbox to open its shell.' : 'Nothing was shown: it never ran.'
}

function freeName(names: readonly string[]): string {
  for (let number = 2; ; number += 1) {
    const name = `session-${number}`
    if (!names.includes(name)) return name
  }
}
