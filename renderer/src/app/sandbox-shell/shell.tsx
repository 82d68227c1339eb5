import { Plus } from 'lucide-react'
import type { Sandbox } from '#contracts/entities/sandbox.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useOpenSession, useTrajectory } from '#renderer/api/sandboxes.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { CommandLine } from './command-line.tsx'
import { LiveTerminal } from './live-terminal.tsx'
import { RecordedTerminal } from './recorded-terminal.tsx'
import { sessionsOf } from './sessions.ts'

/** One session of a sandbox at a time: a terminal and a command line while it is open, its recording afterwards. */
export function Shell({ sandbox }: { sandbox: Sandbox }) {
  const [search, change] = useSearchState()
  const offline = useOfflineReason()
  const open = useOpenSession(sandbox.id)
  const trajectory = useTrajectory(sandbox.id)
  const isOpen = sandbox.status === 'started' || sandbox.status === 'exited'
  const hasRun = sandbox.startedAt !== null
  const names = isOpen
    ? sandbox.terminals.map(({ session }) => session)
    : hasRun
      ? sessionsOf(sandbox, trajectory.data?.trajectory ?? [])
      : []
  const requestedName = search.get('session')
  const name = names.find((one) => one === requestedName) ?? names[0]
  const live = sandbox.terminals.find(({ session }) => session === name)
  const showSession = (session: string) => change({ session: session === names[0] ? null : session }, { replace: true })
  return (
    <Section
      title="Shell"
      actions={
        <div className="flex flex-wrap items-center gap-2">
          {name !== undefined && names.length > 1 ? (
            <Segmented label="Session" value={name} options={names.map((id) => ({ id, label: id }))} onChange={showSession} />
          ) : null}
          {isOpen ? (
            <Button
              size="small"
              icon={Plus}
              reason={offline}
              busy={open.isPending}
              onClick={() => {
                const newName = unusedName(sessionsOf(sandbox, trajectory.data?.trajectory ?? []))
                open.mutate(newName, { onSuccess: () => showSession(newName) })
              }}
            >
              New session
            </Button>
          ) : null}
        </div>
      }
    >
      {live ? (
        <div className="flex min-w-0 flex-col rounded border border-line bg-panel">
          <LiveTerminal key={live.session} sandbox={sandbox} terminal={live} />
          <CommandLine sandbox={sandbox} session={live.session} isTakenOver={live.takenOverBy !== null} />
        </div>
      ) : name !== undefined ? (
        <RecordedTerminal key={name} id={sandbox.id} session={name} />
      ) : (
        <p className="rounded border border-line bg-panel p-3 text-sm text-second">
          {isOpen ? 'No session is open. Open one to continue; the files are still there.' : waitingWords(sandbox)}
        </p>
      )}
    </Section>
  )
}

function waitingWords({ phase, queuePosition, endReason }: Sandbox): string {
  if (queuePosition !== null) return `Number ${queuePosition} in the queue. The shell opens as soon as the sandbox runs.`
  if (phase !== null) return 'The shell opens as soon as the sandbox runs.'
  return endReason === null ? 'Start the sandbox to open its shell.' : 'Nothing was recorded, because the sandbox never ran.'
}

function unusedName(names: readonly string[]): string {
  for (let number = 2; ; number += 1) {
    const name = `session-${number}`
    if (!names.includes(name)) return name
  }
}
