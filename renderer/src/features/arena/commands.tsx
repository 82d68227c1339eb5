import { CornerDownLeft } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Sandbox, TrajectoryEntry } from '#contracts/entities/sandbox.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useExec, useInterrupt, useTrajectory } from '#renderer/api/sandboxes.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextArea } from '#renderer/ui/field.tsx'
import { formatDuration } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { DownloadTrajectory } from './download.tsx'

/** What was run in its sessions, and a line to run more. */
export function Commands({ sandbox }: { sandbox: Sandbox }) {
  const { data, error, isPending, refetch } = useTrajectory(sandbox.id)
  const end = useRef<HTMLDivElement>(null)
  const count = data?.trajectory.length ?? 0
  const last = data?.trajectory.at(-1)
  useEffect(() => {
    if (last) end.current?.scrollIntoView({ block: 'nearest' })
  }, [last])
  return (
    <Section title="Shell" actions={count > 0 ? <DownloadTrajectory id={sandbox.id} /> : null}>
      <div className="flex min-h-60 flex-col rounded border border-line bg-bg">
        <div
          // A scrolling region must be reachable by keyboard (WCAG 2.1.1).
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          role="log"
          aria-label="Commands and their output"
          className="focus-inset max-h-[60vh] min-h-40 flex-1 overflow-y-auto p-3 font-mono text-xs leading-[1.45]"
        >
          {error && !data ? <ErrorState title="Couldn't load the commands" error={error} retry={() => void refetch()} /> : null}
          {isPending ? (
            <Loading label="Loading the commands">
              <Skeleton className="h-4 w-60" />
            </Loading>
          ) : null}
          {data && count === 0 ? (
            <p className="text-second">{sandbox.status === 'started' ? 'Type a command below.' : 'No command was run.'}</p>
          ) : null}
          {data?.trajectory.map((entry) => (
            <Entry key={entry.index} entry={entry} />
          ))}
          <div ref={end} />
        </div>
        {sandbox.status === 'started' ? <CommandLine sandbox={sandbox} /> : null}
      </div>
    </Section>
  )
}

function Entry({ entry: { command, session, result } }: { entry: TrajectoryEntry }) {
  return (
    <div className="pb-2">
      <div className="break-words whitespace-pre-wrap">
        <span aria-hidden className="text-accent select-none">
          ${' '}
        </span>
        {session === 'main' ? null : <span className="text-second">[{session}] </span>}
        <Visible text={command} />
      </div>
      {result === null ? <div className="text-second">running …</div> : null}
      {result && result.before !== '' ? <Output text={result.before} className="text-second" /> : null}
      {result && result.output !== '' ? <Output text={result.output} /> : null}
      {result?.stderr ? <Output text={result.stderr} className="text-warn" /> : null}
      {result ? <Outcome result={result} /> : null}
    </div>
  )
}

const Output = ({ text, className = '' }: { text: string; className?: string }) => (
  <div className={`break-words whitespace-pre-wrap ${className}`}>
    <Visible text={text} />
  </div>
)

function Outcome({ result }: { result: NonNullable<TrajectoryEntry['result']> }) {
  const words = [
    ...(result.exitCode === 0 ? [] : [`exit code ${result.exitCode}`]),
    ...(result.timedOut ? ['stopped after its time limit'] : []),
    ...(result.exited ? ['the shell ended'] : []),
    ...(result.truncated ? ['the middle of the output was left out'] : []),
    ...(result.durationMs >= 1000 ? [formatDuration(result.durationMs)] : []),
  ]
  return words.length === 0 ? null : <div className={result.exitCode === 0 ? 'text-second' : 'text-bad'}>{words.join(' · ')}</div>
}

function CommandLine({ sandbox }: { sandbox: Sandbox }) {
  const [text, setText] = useState('')
  const offline = useOfflineReason()
  const exec = useExec(sandbox.id)
  const interrupt = useInterrupt(sandbox.id)
  const isRunning = exec.isPending || sandbox.busy
  const run = () => {
    if (text.trim() === '' || offline) return
    exec.mutate({ command: text })
    setText('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      run()
    }
    if (event.key === 'c' && event.ctrlKey && isRunning && window.getSelection()?.isCollapsed !== false) interrupt.mutate()
  }
  return (
    <div className="flex items-end gap-2 border-t border-line p-2">
      <TextArea
        aria-label="Command"
        rows={1}
        className="min-h-8 flex-1 resize-y font-mono text-xs"
        placeholder="Command; Shift+Enter for a new line"
        value={text}
        onChange={setText}
        onKeyDown={onKeyDown}
      />
      {isRunning ? (
        <Button reason={offline} busy={interrupt.isPending} keys="Ctrl C" onClick={() => interrupt.mutate()}>
          Interrupt
        </Button>
      ) : null}
      <Button icon={CornerDownLeft} reason={offline} onClick={run}>
        Run
      </Button>
    </div>
  )
}
