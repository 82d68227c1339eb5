import { lookup } from '#contracts/lookup.ts'
import { ChevronDown, ChevronRight, CircleAlert, FoldVertical, Info } from 'lucide-react'
import { memo, useMemo, useRef, useState } from 'react'
import type { ArchiveFinding } from '#contracts/entities/privacy.ts'
import type { TimelineRow, TranscriptItem } from '#contracts/entities/step.ts'
import type { Subagent } from '#contracts/entities/trace.ts'
import { cn } from '#renderer/ui/cn.ts'
import { formatClock } from '#renderer/ui/format.ts'
import { Skeleton } from '#renderer/ui/states.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { CallCard } from './call-card.tsx'
import { useMarks } from './marks.ts'
import { ShortenedNote, Prose } from './prose.tsx'
import { SecretMarks } from './secret-marks.tsx'
import { valueOf } from './secrets.ts'

type TextItem = Exclude<TranscriptItem, { kind: 'step' }>

export interface ItemProps {
  traceId: string
  row: TimelineRow
  /** Undefined while its page is loading. */
  item: TranscriptItem | undefined
  depth: number
  live: boolean
  collapsed: boolean
  selected: boolean
  turn: string | null
  subagent: Subagent | null
  /** The last text of that sub-agent, once it is loaded. */
  answer: TranscriptItem | undefined
  agentFolded: boolean
  /** Words searched for in this session; '' if none. */
  words: string
  secrets: readonly ArchiveFinding[]
  onFoldAgent: (agent: string) => void
  onSelect: (id: string) => void
}

const BAR: Record<string, string> = lookup({
  prompt: 'before:bg-accent',
  text: 'before:bg-series-1',
  thinking: 'before:bg-line',
  step: 'before:bg-series-2',
  call: 'before:bg-series-2',
  error: 'before:bg-bad',
})

const NO_WORDS: readonly string[] = []

/** One item on the page of a session, with a 4 px bar for its role. Links and evidence scroll to its element. */
export const Item = memo(function Item(props: ItemProps) {
  const { row, item, depth, selected, words, secrets, onSelect } = props
  const box = useRef<HTMLDivElement>(null)
  const values = useMemo(() => (item ? secrets.flatMap((finding) => valueOf(item, finding) ?? []) : []), [item, secrets])
  useMarks(box, 'found', words === '' ? NO_WORDS : [words])
  useMarks(box, 'secret', values)
  return (
    // selection by click; the list around it handles the keys j and k
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div
      ref={box}
      // a click on a link must not select the item
      onClick={(event) => (event.target as Element).closest('a') || onSelect(row.id)}
      style={{ paddingLeft: 16 + depth * 20 }}
      className={cn(
        'relative py-1 pr-4 before:absolute before:inset-y-1 before:left-0 before:w-1 before:content-[""]',
        BAR[row.agent === 'main' ? row.kind : ''] ?? (row.agent === 'main' ? 'before:bg-line' : 'before:bg-series-3'),
        selected && 'current-item',
      )}
    >
      {item ? <Standing item={item} /> : null}
      {item ? (
        item.kind === 'step' ? (
          <Call {...props} />
        ) : (
          <TextItemBody item={item} turn={props.turn} collapsed={props.collapsed} />
        )
      ) : (
        <ItemSkeleton row={row} />
      )}
      {secrets.length > 0 ? <SecretMarks findings={secrets} /> : null}
    </div>
  )
})

/** What an item is not: part of the conversation that the session ended with, or an answer of the model. */
function Standing({ item }: { item: TranscriptItem }) {
  const { abandoned, byMod, answeredBy } = item.kind === 'step' ? item.step : item
  if (!abandoned && !byMod) return null
  return (
    <p className="flex gap-3 px-3 pb-0.5 text-xs text-second">
      {abandoned ? <span title="Rewound, edited or sent again: not part of the conversation that followed">Abandoned</span> : null}
      {answeredBy ? (
        <span title={`${answeredBy.modelId}, ${answeredBy.certificate ? 'proven by an exam' : 'without proof'}; Claude was not asked`}>
          Answered by your model
        </span>
      ) : byMod ? (
        <span title="A mod of Claude Code answered here; no model was asked">Answered by a mod</span>
      ) : null}
    </p>
  )
}

function Call({ traceId, item, live, collapsed, subagent, answer, agentFolded, onFoldAgent }: ItemProps) {
  if (item?.kind !== 'step') return null
  return (
    <CallCard
      traceId={traceId}
      step={item.step}
      live={live}
      collapsed={collapsed}
      subagent={subagent}
      answer={answer?.kind === 'text' ? answer.text : null}
      agentFolded={agentFolded}
      onFoldAgent={() => subagent && onFoldAgent(subagent.id)}
    />
  )
}

const ItemSkeleton = ({ row }: { row: TimelineRow }) => (
  <div aria-hidden className="flex h-8 items-center gap-3 rounded border border-line px-3">
    <span className="w-14 shrink-0 truncate text-xs text-second">{row.tool ?? row.kind}</span>
    {row.label ? (
      <span className="truncate font-mono text-xs text-second">
        <Visible text={row.label} />
      </span>
    ) : (
      <Skeleton className="flex-1" />
    )}
  </div>
)

function TextItemBody({ item, turn, collapsed }: { item: TextItem; turn: string | null; collapsed: boolean }) {
  switch (item.kind) {
    case 'prompt':
      return <Prompt item={item} turn={turn} />
    case 'text':
      return collapsed ? <OneLine text={item.text} /> : <Prose text={item.text} truncated={item.truncated} />
    case 'thinking':
      return <Folded label="Thinking" text={item.text} truncated={item.truncated} />
    case 'error':
      return <Problem item={item} />
    case 'compaction':
      return <Compaction item={item} />
    case 'notice':
      return (
        <Folded
          label={item.asks !== null && item.label === 'meta' ? 'Given to the model' : noticeWord(item.label)}
          text={item.text}
          truncated={item.truncated}
          icon
        />
      )
    default:
      throw new Error(`unknown item ${JSON.stringify(item.kind satisfies never)}`)
  }
}

const Prompt = ({ item, turn }: { item: TextItem; turn: string | null }) => (
  <div className="rounded border border-line bg-panel px-3 py-2">
    <div className="flex items-baseline gap-2 pb-1 text-xs text-second">
      <span className="font-semibold text-text">{item.agent === 'main' ? 'You' : 'Task'}</span>
      {turn && item.agent === 'main' ? <span>{turn}</span> : null}
      <span className="ml-auto font-mono">{item.at ? formatClock(item.at) : null}</span>
    </div>
    <LongText text={item.text} truncated={item.truncated} className="text-base break-words whitespace-pre-wrap" />
  </div>
)

const OneLine = ({ text }: { text: string }) => (
  <p className="truncate px-3 py-1 text-sm text-second">
    <Visible text={text.split('\n', 1)[0] ?? ''} />
  </p>
)

/** Characters of a prompt before it is folded, because pasted logs are prompts, too. */
const LONG_TEXT = 2400

function LongText({ text, truncated, className }: { text: string; truncated: boolean; className: string }) {
  const [all, setAll] = useState(false)
  const long = text.length > LONG_TEXT
  return (
    <>
      <p className={className}>
        <Visible text={long && !all ? `${text.slice(0, LONG_TEXT)}…` : text} />
      </p>
      {long ? (
        <button type="button" onClick={() => setAll(!all)} className="min-h-6 text-xs text-accent underline">
          {all ? 'Show less' : 'Show all'}
        </button>
      ) : null}
      {truncated ? <ShortenedNote /> : null}
    </>
  )
}

function Folded({ label, text, truncated, icon = false }: { label: string; text: string; truncated: boolean; icon?: boolean }) {
  const [open, setOpen] = useState(false)
  if (text.trim() === '') return <p className="px-3 py-1 text-xs text-second">{label}</p>
  return (
    <div className="text-sm text-second">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="focus-inset flex min-h-7 w-full items-center gap-2 rounded px-2 text-left text-xs hover:bg-raised"
      >
        {open ? <ChevronDown size={16} aria-hidden className="shrink-0" /> : <ChevronRight size={16} aria-hidden className="shrink-0" />}
        {icon ? <Info size={14} aria-hidden className="shrink-0" /> : null}
        <span className="shrink-0">{label}</span>
        {open ? null : (
          <span className="min-w-0 truncate">
            <Visible text={text.trim().split('\n', 1)[0] ?? ''} />
          </span>
        )}
      </button>
      {open ? (
        <div className="max-w-[80ch] px-8 pb-2">
          <LongText text={text} truncated={truncated} className="text-sm break-words whitespace-pre-wrap" />
        </div>
      ) : null}
    </div>
  )
}

const Problem = ({ item }: { item: TextItem }) => (
  <div className="flex items-start gap-2 rounded border border-bad bg-panel px-3 py-2 text-sm">
    <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-bad" />
    <div className="min-w-0">
      <p className="font-semibold">Error{item.label ? `: ${item.label}` : ''}</p>
      <p className="break-words whitespace-pre-wrap">
        <Visible text={item.text} />
      </p>
    </div>
  </div>
)

function Compaction({ item }: { item: TextItem }) {
  return (
    <div className="flex flex-col gap-1 py-1">
      <div className="flex items-center gap-3 text-xs text-second">
        <span aria-hidden className="h-px flex-1 bg-edge" />
        <FoldVertical size={14} aria-hidden />
        Context compacted
        <span aria-hidden className="h-px flex-1 bg-edge" />
      </div>
      {item.text.trim() ? <Folded label="Summary" text={item.text} truncated={item.truncated} /> : null}
    </div>
  )
}

const NOTICES: Record<string, string> = lookup({
  command: 'Command',
  shell: 'Shell',
  interrupt: 'Interrupted by you',
  notification: 'Notification',
  meta: 'Added by the client',
  message: 'Message of another agent',
  hook: 'Hook',
})
const noticeWord = (label: string | null) => (label === null ? 'Notice' : (NOTICES[label] ?? label))
