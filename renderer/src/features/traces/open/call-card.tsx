import { ChevronDown, ChevronRight, CircleAlert, CircleCheck, CircleHelp, CircleSlash, LoaderCircle } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Step } from '#contracts/entities/step.ts'
import type { Subagent } from '#contracts/entities/trace.ts'
import { cn } from '#renderer/ui/cn.ts'
import { DiffCount } from '#renderer/ui/diff-lines.tsx'
import { formatDuration, plural } from '#renderer/ui/format.ts'
import { describeError } from '#renderer/ui/states.tsx'
import { Visible, visible } from '#renderer/ui/visible.tsx'
import { useWholeStep } from '../queries.ts'
import { cardKind, field, headline, readRange, stateOf, stateText, type CallState } from './call.ts'
import { shortPath } from './clip.ts'
import { diffOf } from './diff-model.ts'
import { DiffView } from './diff-view.tsx'
import { Output } from './output.tsx'
import { Prose } from './prose.tsx'
import { CommandMarks, CommandMenu, useCommandMark } from './command-mark.tsx'

const STATE_ICON = { ok: CircleCheck, failed: CircleAlert, rejected: CircleSlash, unanswered: CircleHelp, unknown: CircleHelp } as const
const STATE_INK: Record<CallState, string> = {
  ok: 'text-ok',
  failed: 'text-bad',
  rejected: 'text-warn',
  unanswered: 'text-second',
  unknown: 'text-second',
}

export interface CallCardProps {
  traceId: string
  step: Step
  live: boolean
  collapsed: boolean
  /** The sub-agent that this call started. */
  subagent: Subagent | null
  /** The sub-agent's last text; null if there is none or it is not loaded. */
  answer: string | null
  agentFolded: boolean
  onFoldAgent: () => void
}

/** One tool call: its input, its status and its output. */
export function CallCard({ traceId, step, live, collapsed, subagent, answer, agentFolded, onFoldAgent }: CallCardProps) {
  const [open, setOpen] = useState<boolean | null>(null)
  const kind = cardKind(step)
  const isOpen = open ?? (!collapsed && (kind === 'shell' || kind === 'edit' || kind === 'agent' || stateOf(step) === 'failed'))
  const diff = useMemo(() => (kind === 'edit' ? diffOf(step) : null), [kind, step])
  const title = kind === 'shell' ? (step.command ?? '') : shortPath(headline(step), step.cwd)
  const command = kind === 'shell' && step.command?.trim() ? step.command : null
  const mark = useCommandMark(traceId, step, command)
  const range = kind === 'read' ? readRange(step.input) : null
  return (
    <div className={cn('rounded border bg-panel', stateOf(step) === 'failed' ? 'border-bad' : 'border-line')}>
      <div className="flex min-h-8 items-start gap-1 pr-2">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="focus-inset flex min-h-8 min-w-0 flex-1 items-start gap-2 rounded px-2 py-1.5 text-left"
        >
          {isOpen ? (
            <ChevronDown size={16} aria-hidden className="mt-0.5 shrink-0 text-second" />
          ) : (
            <ChevronRight size={16} aria-hidden className="mt-0.5 shrink-0 text-second" />
          )}
          <span className="w-14 shrink-0 truncate pt-px text-xs leading-[18px] text-second" title={visible(step.tool)}>
            <Visible text={step.tool} />
          </span>
          <span
            className={cn(
              'min-w-0 flex-1 font-mono text-xs leading-[18px]',
              isOpen && kind === 'shell' ? 'break-words whitespace-pre-wrap' : 'truncate',
            )}
            title={visible(title)}
          >
            <Visible text={title === '' ? step.tool : title} />
          </span>
        </button>
        <div className="flex h-8 shrink-0 items-center gap-3 text-xs">
          {range ? <span className="text-second">{range}</span> : null}
          {diff ? <DiffCount added={diff.added} removed={diff.removed} /> : null}
          {step.durationMs !== null && step.durationMs >= 100 ? (
            <span className="font-mono text-second">{formatDuration(step.durationMs)}</span>
          ) : null}
          <Outcome step={step} live={live} />
          {command === null ? null : <CommandMenu mark={mark} />}
        </div>
      </div>
      {isOpen ? (
        <div className="border-t border-line px-3 py-2">
          {kind === 'agent' ? (
            <AgentBody step={step} subagent={subagent} answer={answer} folded={agentFolded} onFold={onFoldAgent} />
          ) : null}
          {diff ? <DiffView diff={diff} label={`Changes to ${step.file ?? 'the file'}`} /> : null}
          {kind === 'other' ? <Input input={step.input} /> : null}
          {(diff !== null && stateOf(step) === 'ok') || isSameAnswer(step, answer) ? null : (
            <StepOutput traceId={traceId} step={step} live={live} />
          )}
          {command === null ? null : <CommandMarks mark={mark} />}
        </div>
      ) : null}
    </div>
  )
}

function Outcome({ step, live }: { step: Step; live: boolean }) {
  const state = stateOf(step)
  const Icon = state === 'unanswered' && live ? LoaderCircle : STATE_ICON[state]
  return (
    <span className="flex items-center gap-1 whitespace-nowrap">
      <Icon size={14} aria-hidden className={STATE_INK[state]} />
      {stateText(step, live)}
    </span>
  )
}

function StepOutput({ traceId, step, live }: { traceId: string; step: Step; live: boolean }) {
  const [expanded, setExpanded] = useState(false)
  const whole = useWholeStep(traceId, step.id, expanded && step.outputTruncated)
  if (step.output === null) {
    return (
      <p className="text-xs text-second">
        {stateOf(step) === 'unanswered' && live ? 'Still running. Its output appears when it ends.' : 'No output recorded.'}
      </p>
    )
  }
  const text = whole.data?.output ?? step.output
  return (
    <Output
      text={text}
      bytes={step.outputBytes}
      partial={step.outputTruncated && !whole.data}
      expanded={expanded && (!step.outputTruncated || whole.data !== undefined)}
      onExpand={() => setExpanded(true)}
      busy={whole.isFetching}
      failed={whole.error ? `Couldn't load the rest: ${describeError(whole.error).message}` : null}
    />
  )
}

/** Arguments of a tool without a special card. */
function Input({ input }: { input: unknown }) {
  const text = JSON.stringify(input, null, 2) ?? ''
  if (text === '' || text === '{}' || text === 'null') return null
  return (
    <pre className="mb-2 max-h-60 overflow-auto border-b border-line pb-2 font-mono text-xs leading-[1.45] break-words whitespace-pre-wrap text-second">
      <Visible text={text} />
    </pre>
  )
}

/** Whether the output repeats the answer shown above it; the output of a background agent only says that it was started. */
const isSameAnswer = ({ output }: Step, answer: string | null) => answer !== null && output !== null && output.includes(answer.trim())

function AgentBody({
  step,
  subagent,
  answer,
  folded,
  onFold,
}: {
  step: Step
  subagent: Subagent | null
  answer: string | null
  folded: boolean
  onFold: () => void
}) {
  const prompt = field(step.input, 'prompt')
  return (
    <div className="mb-2 flex flex-col gap-2 text-sm">
      {typeof prompt === 'string' ? (
        <p className="line-clamp-6 break-words whitespace-pre-wrap text-second">
          <Visible text={prompt} />
        </p>
      ) : null}
      {subagent ? (
        <button
          type="button"
          onClick={onFold}
          aria-expanded={!folded}
          className="flex min-h-7 w-fit items-center gap-2 rounded-sm border border-line px-2 text-xs hover:bg-raised"
        >
          {folded ? 'Show' : 'Hide'} {plural(subagent.toolCalls, 'sub-agent step')}
          {subagent.failedToolCalls > 0 ? <span className="text-bad">{subagent.failedToolCalls} failed</span> : null}
        </button>
      ) : null}
      {answer === null ? null : (
        <section aria-label="Sub-agent answer" className="rounded-sm border border-line bg-bg py-1">
          <h3 className="px-3 text-xs font-semibold text-second">Answer</h3>
          <Prose text={answer} truncated={false} />
        </section>
      )}
    </div>
  )
}
