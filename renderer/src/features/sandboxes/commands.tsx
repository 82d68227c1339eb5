import { useEffect, useRef, useState } from 'react'
import type { Sandbox, TrajectoryEntry } from '#contracts/entities/sandbox.ts'
import { useTrajectory } from '#renderer/api/sandboxes.ts'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { formatDuration, plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { DownloadTrajectory } from './download.tsx'
import { sessionsOf } from '#renderer/app/sandbox-shell/sessions.ts'

/** The commands of all sessions with exit code and time. A click shows the output; the newest command is open. */
export function Commands({ sandbox }: { sandbox: Sandbox }) {
  const query = useTrajectory(sandbox.id)
  const { data } = query
  const box = useRef<HTMLDivElement>(null)
  const entries = data?.trajectory ?? []
  const last = data?.trajectory.at(-1)
  useEffect(() => {
    if (last) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [last])
  return (
    <Section
      title="Trajectory"
      note={entries.length > 0 ? plural(entries.length, 'command') : undefined}
      actions={sandbox.startedAt === null ? null : <DownloadTrajectory id={sandbox.id} sessions={sessionsOf(sandbox, entries)} />}
    >
      <ScrollRegion
        ref={box}
        role="log"
        label="Commands and their output"
        className="max-h-[60vh] min-h-24 overflow-y-auto rounded border border-line bg-panel"
      >
        <Fetched query={query} what="commands" bars={['w-60']}>
          {() => null}
        </Fetched>
        {data && entries.length === 0 ? (
          <p className="p-3 text-sm text-second">{sandbox.endReason === null ? 'No command yet.' : 'No command ran.'}</p>
        ) : null}
        {entries.map((entry) => (
          <Entry
            key={entry.index}
            entry={entry}
            isLast={entry === last}
            isLive={sandbox.terminals.some(({ session }) => session === entry.session)}
          />
        ))}
      </ScrollRegion>
    </Section>
  )
}

function Entry({
  entry: { at, command, isTyped, session, blocked, result },
  isLast,
  isLive,
}: {
  entry: TrajectoryEntry
  isLast: boolean
  /** Whether the session of the command is open. */
  isLive: boolean
}) {
  const [toggledOpen, setToggledOpen] = useState<boolean | null>(null)
  const isOpen = toggledOpen ?? isLast
  return (
    <details
      open={isOpen}
      onToggle={(event) => event.currentTarget.open !== isOpen && setToggledOpen(event.currentTarget.open)}
      className="border-b border-line font-mono text-xs last:border-b-0"
    >
      <summary className="focus-inset flex flex-col gap-0.5 px-3 py-1.5 hover:bg-raised">
        <span className={isOpen ? 'break-words whitespace-pre-wrap' : 'truncate'}>
          <span aria-hidden className="text-accent select-none">
            ${' '}
          </span>
          <Visible text={command} />
        </span>
        <span className="flex flex-wrap gap-x-1 text-second">
          {blocked ? (
            <span className="text-warn">blocked by {blocked.rule ?? 'a guardrail'}</span>
          ) : result ? (
            <Outcome result={result} />
          ) : (
            <span>{isLive ? 'running …' : 'did not end'}</span>
          )}
          <span>· at {formatDuration(at * 1000)}</span>
          {session === 'main' ? null : <span>· {session}</span>}
          {isTyped ? <span>· typed</span> : null}
        </span>
      </summary>
      {blocked ? <p className="border-t border-line bg-bg px-3 py-1.5 font-sans">{blocked.reason}</p> : null}
      {result ? <Outputs result={result} /> : null}
    </details>
  )
}

function Outputs({ result: { before, output, stderr } }: { result: NonNullable<TrajectoryEntry['result']> }) {
  const isEmpty = before === '' && output === '' && !stderr
  return (
    <div className="border-t border-line bg-bg px-3 py-1.5 leading-[1.45]">
      {before !== '' ? <Output text={before} className="text-second" /> : null}
      {output !== '' ? <Output text={output} /> : null}
      {stderr ? <Output text={stderr} className="text-warn" /> : null}
      {isEmpty ? <div className="text-second">no output</div> : null}
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
    `exit code ${result.exitCode}`,
    ...(result.timedOut ? ['stopped after its time limit'] : []),
    ...(result.exited ? ['the shell ended'] : []),
    ...(result.truncated ? ['the middle of the output was left out'] : []),
    formatDuration(result.durationMs),
  ]
  return <span className={result.exitCode === 0 ? undefined : 'text-bad'}>{words.join(' · ')}</span>
}
