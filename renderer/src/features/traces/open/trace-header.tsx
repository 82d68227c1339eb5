import { ChartGantt, Download, Ellipsis, Factory, FileTerminal, GitBranch, Link2, RotateCcw, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { TraceDetail } from '#contracts/entities/trace.ts'
import { pathOf } from '#contracts/derive/client.ts'
import { exportTrace, getRaw } from '#contracts/routes/traces.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { copyText } from '#renderer/ui/copy-text.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { newBatchHref, profileHref, shellTasksOfHref, taskHref } from '#renderer/app/links.ts'
import { useChosenSessions } from '#renderer/stores/chosen-sessions.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { formatDuration, formatInstant, formatUsd, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Menu, MenuItem, MenuLine } from '#renderer/ui/menu.tsx'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Visible, visible } from '#renderer/ui/visible.tsx'
import { untitled } from '#renderer/ui/session-title.ts'
import { ForgetDialog } from './forget.tsx'
import { TierControl } from './tier-control.tsx'

export const rawUrl = (id: string, source?: string): string =>
  pathOf(getRaw, { params: { id }, query: source === undefined ? {} : { source } })

/** The facts of a session, and the control for its tier. */
export function TraceHeader({ trace, narrow, onClose }: { trace: TraceDetail; narrow: boolean; onClose: () => void }) {
  const offline = useOfflineReason()
  const [isForgetting, setForgetting] = useState(false)
  const [, navigate] = useLocation()
  const makeExamples = () => {
    useChosenSessions.setState({ ids: [trace.id] })
    navigate('/factory/examples/new?from=selection')
  }
  const runAgain = () => {
    useChosenSessions.setState({ ids: [trace.id] })
    navigate(newBatchHref({ from: 'selection' }))
  }
  return (
    <header className={cn('flex shrink-0 flex-col border-b border-line px-4', narrow ? 'gap-1.5 py-2' : 'gap-2 py-3')}>
      <div className="flex items-start gap-2">
        <h2 className="min-w-0 flex-1 text-lg font-semibold break-words" title={trace.title === null ? undefined : visible(trace.title)}>
          <span className={narrow ? 'block truncate' : 'line-clamp-2'}>
            <Visible text={trace.title ?? untitled(trace)} />
          </span>
        </h2>
        {trace.state === 'live' ? <Badge tone="accent">live</Badge> : null}
        {trace.state === 'interrupted' ? <Badge tone="warn">interrupted</Badge> : null}
        {trace.hooksOnly ? <Badge>hooks only, no transcript</Badge> : null}
        {trace.taskId === null ? null : (
          <Badge>
            <TextLink href={taskHref(trace.taskId)}>run of an agent</TextLink>
          </Badge>
        )}
        {trace.sample ? <Badge>sample</Badge> : null}
        <IconButton icon={ChartGantt} size="small" label="Profile: where the time went" onClick={() => navigate(profileHref(trace.id))} />
        <Menu align="end" trigger={<IconButton icon={Ellipsis} size="small" label="More for this session" />}>
          <MenuItem icon={Link2} onSelect={() => void copyText(location.href, { done: 'Link copied' })}>
            Copy link
          </MenuItem>
          <MenuItem icon={Link2} onSelect={() => void copyText(trace.sessionId, { done: 'Session id copied' })}>
            Copy session id
          </MenuItem>
          <MenuItem icon={Download} onSelect={() => location.assign(rawUrl(trace.id))}>
            Download raw transcript
          </MenuItem>
          <MenuItem icon={Download} onSelect={() => location.assign(`${rawUrl(trace.id)}?all=true`)}>
            Download all sources
          </MenuItem>
          <MenuItem icon={Download} onSelect={() => location.assign(pathOf(exportTrace, { params: { id: trace.id }, query: {} }))}>
            Export as ATIF, without secrets
          </MenuItem>
          <MenuItem icon={Factory} onSelect={makeExamples}>
            Make examples from this session
          </MenuItem>
          <MenuItem icon={FileTerminal} onSelect={() => navigate(shellTasksOfHref(trace.id))}>
            Make shell tasks
          </MenuItem>
          <MenuItem icon={RotateCcw} onSelect={runAgain}>
            Do this again with …
          </MenuItem>
          <MenuLine />
          <MenuItem icon={Trash2} danger disabled={offline !== null} onSelect={() => setForgetting(true)}>
            Forget session…
          </MenuItem>
        </Menu>
        <IconButton icon={X} size="small" label="Close" keys={keyOf('back')} onClick={onClose} />
        <ForgetDialog trace={trace} open={isForgetting} onOpenChange={setForgetting} onForget={onClose} />
      </div>
      {/* a narrow header shows only the facts that fit on one line; the Facts tab has all of them */}
      <dl className={cn('flex flex-wrap gap-x-4 gap-y-1 text-xs text-second', narrow && 'h-4 overflow-hidden')}>
        <Fact name="Repository" value={trace.repo} title={trace.cwd} />
        {trace.gitBranch ? (
          <div className="flex max-w-full min-w-0 items-center gap-1">
            <dt className="sr-only">Branch</dt>
            <GitBranch size={12} aria-hidden className="shrink-0" />
            <dd className="min-w-0 font-mono">
              <MiddleCut text={trace.gitBranch} />
            </dd>
          </div>
        ) : null}
        {trace.models.length > 0 ? (
          <div className="max-w-full min-w-0">
            <dt className="sr-only">Model</dt>
            <dd>
              <MiddleCut text={trace.models.join(', ')} />
            </dd>
          </div>
        ) : null}
        <Fact name="Client" value={trace.clientVersion} />
        <div>
          <dt className="sr-only">Ended</dt>
          <dd title={`${formatInstant(trace.startedAt)} to ${formatInstant(trace.endedAt)}`}>
            <RelativeTime at={trace.endedAt ?? trace.startedAt} />
            {trace.durationMs ? `, ${formatDuration(trace.durationMs)}` : ''}
            {trace.activeMs !== null && trace.activeMs !== trace.durationMs ? ` (${formatDuration(trace.activeMs)} active)` : ''}
          </dd>
        </div>
        <Fact name="Calls" value={plural(trace.counts.toolCalls, 'call')} />
        <Fact
          name="Abandoned"
          value={trace.counts.abandonedTurns > 0 ? `${plural(trace.counts.abandonedTurns, 'turn')} abandoned` : null}
          title="Prompts that were rewound or edited. They are in no example."
        />
        <Fact name="Cost" value={trace.costUsd === null ? null : formatUsd(trace.costUsd)} />
      </dl>
      <TierControl trace={trace} narrow={narrow} />
    </header>
  )
}

function Fact({ name, value, title }: { name: string; value: string | null; title?: string | null }) {
  if (value === null) return null
  return (
    <div>
      <dt className="sr-only">{name}</dt>
      <dd title={title ?? undefined}>{value}</dd>
    </div>
  )
}
