import type { TraceDetail } from '#contracts/entities/trace.ts'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { formatBytes, plural } from '#renderer/ui/format.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { useTraceActions } from '../actions.ts'

/** Asks before a session is deleted permanently, and says what is deleted. */
export function ForgetDialog({
  trace,
  open,
  onOpenChange,
  onForget,
}: {
  trace: TraceDetail
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Called after the user confirmed; closes the session's page. */
  onForget: () => void
}) {
  const actions = useTraceActions()
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title="Forget this session?"
      action="Forget session"
      onConfirm={() => {
        onForget()
        void actions.forget(trace)
      }}
    >
      <p className="line-clamp-3 break-words text-text">
        <Visible text={trace.title ?? 'Session without a prompt'} />
      </p>
      <p>
        {deletedSentence(trace)} will be deleted from the archive, along with the score, decisions, tags and note. This cannot be undone.
      </p>
      <p>The agent&apos;s own file stays where it is, and later imports skip it.</p>
    </Confirm>
  )
}

/** "1.2 MB in 3 files with 210 calls and 2 sub-agents": the size of what would be lost. */
export function deletedSentence({ raw, sources, counts }: Pick<TraceDetail, 'raw' | 'sources' | 'counts'>): string {
  const files = sources.length === 0 ? '' : ` in ${plural(sources.length, 'file')}`
  const agents = counts.subagents === 0 ? '' : ` and ${plural(counts.subagents, 'sub-agent')}`
  return `${formatBytes(raw.bytes)}${files} with ${plural(counts.toolCalls, 'call')}${agents}`
}
