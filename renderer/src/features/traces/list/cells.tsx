import { CircleAlert, CircleCheck, CircleHelp, GitCommitHorizontal, Hand } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Trace } from '#contracts/entities/trace.ts'
import type { FoundLine } from '#contracts/found-line.ts'
import { cn } from '#renderer/ui/cn.ts'
import { formatScore } from '#renderer/app/words/score.ts'
import { formatCompact, formatCount, formatDuration, formatInstant, formatUsd, plural } from '#renderer/ui/format.ts'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { TierMark } from '#renderer/ui/tier-mark.tsx'
import { Visible, visible } from '#renderer/ui/visible.tsx'
import { untitled } from '#renderer/ui/session-title.ts'
import { HitLine, Marked } from '../hit-line.tsx'
import { tokenSum } from './row-rules.ts'
import { TIER_MARK_PX, type Column, type ColumnId } from './columns.ts'

/** The bar of a row: its tier. */
export const TIER_BARS = { gold: 'bg-gold', silver: 'bg-silver', bronze: 'bg-bronze', failed: 'bg-failed', pending: 'bg-pending' } as const

/** A dash with the reason why there is no figure. */
const Unknown = ({ why }: { why: string }) => (
  <span title={why} className="text-second">
    –
  </span>
)

/** The cell of each column of a session. */
export const CELLS: Record<ColumnId, (trace: Trace, column: Column) => ReactNode> = {
  tier: (trace, column) => (
    <TierMark
      mark={trace.tier}
      word={column.width > TIER_MARK_PX}
      own={trace.tierSource === 'user'}
      unverified={trace.unverified}
      className={trace.unverified ? 'text-xs' : ''}
    />
  ),
  title: (trace) => <Title trace={trace} />,
  repo: (trace) => (trace.repo === null ? <Unknown why="Repository unknown." /> : <MiddleCut text={trace.repo} end={5} />),
  outcome: (trace) => <Outcome trace={trace} />,
  quality: (trace) => (trace.quality === null ? <Unknown why="No call has a known outcome." /> : formatScore(trace.quality)),
  grade: (trace) => (trace.answerScore === null ? <Unknown why="No model graded it." /> : formatScore(trace.answerScore)),
  toolCalls: (trace) => formatCount(trace.counts.toolCalls),
  tokens: (trace) => <Tokens trace={trace} />,
  cost: (trace) =>
    trace.costUsd === null ? <Unknown why="No price for this model, or tokens were not recorded." /> : formatUsd(trace.costUsd),
  // a single record has a time, but no duration
  duration: (trace) => (trace.durationMs ? formatDuration(trace.durationMs) : <Unknown why="The transcript has no start or end time." />),
  age: (trace) => <RelativeTime at={trace.endedAt ?? trace.startedAt} />,
  started: (trace) => formatInstant(trace.startedAt).slice(0, 16),
  tags: (trace) => (
    <span className="block truncate text-xs text-second" title={trace.tags.join(', ')}>
      {trace.tags.join(', ')}
    </span>
  ),
  model: (trace) => (
    <span className="font-mono text-xs">
      {trace.models.length === 0 ? <Unknown why="Model not recorded." /> : <MiddleCut text={trace.models.join(', ')} end={8} />}
    </span>
  ),
}

const NO_WORDS: readonly string[] = []

interface TitleProps {
  trace: Trace
  /** A long title takes two lines. */
  isTall?: boolean
  /** What is searched for; marked in the title. */
  words?: readonly string[]
  /** A line that matches the search and is not in the title. */
  line?: FoundLine | undefined
}

export function Title({ trace, isTall = false, words = NO_WORDS, line }: TitleProps) {
  return (
    <>
      <span className="flex min-w-0 items-center gap-2">
        {trace.state === 'live' ? <Live /> : null}
        <span
          className={cn(isTall ? 'line-clamp-2 leading-tight break-words' : 'truncate', trace.title === null && 'text-second')}
          title={trace.title === null ? undefined : visible(trace.title)}
        >
          {trace.title === null ? <Visible text={untitled(trace)} /> : <Marked text={trace.title} words={words} />}
        </span>
        {trace.hooksOnly && trace.title !== null ? <span className="shrink-0 text-xs text-second">hooks only, no transcript</span> : null}
        {trace.taskId === null ? null : (
          <span className="shrink-0 text-xs text-second" title="From an agent run in a sandbox">
            run
          </span>
        )}
        {trace.sample ? <span className="shrink-0 text-xs text-second">sample</span> : null}
      </span>
      {line ? <HitLine line={line} /> : null}
    </>
  )
}

function Tokens({ trace }: { trace: Trace }) {
  const { sum, complete } = tokenSum(trace.tokens)
  if (sum === null) return <Unknown why="This client does not record tokens." />
  return (
    <span
      title={complete ? `${formatCount(sum)} tokens, all four kinds` : `${formatCount(sum)} tokens known; some kinds were not recorded`}
    >
      {formatCompact(sum)}
      {complete ? '' : '+'}
    </span>
  )
}

const Live = () => (
  <span className="inline-flex shrink-0 items-center gap-1 text-xs text-accent">
    <span aria-hidden className="size-2 rounded-full bg-accent" />
    live
  </span>
)

const VERIFIED = {
  passed: { icon: CircleCheck, ink: 'text-ok', word: 'checks passed' },
  failed: { icon: CircleAlert, ink: 'text-bad', word: 'checks failed' },
  unclear: { icon: CircleHelp, ink: 'text-second', word: 'unclear' },
} as const

/** The outcome in words: checks, tool errors, commits, rejected calls. A tool error is not a failed check. */
function Outcome({ trace }: { trace: Trace }) {
  const { verification, counts } = trace
  const verified = verification === 'none' ? null : VERIFIED[verification]
  return (
    <span className="flex items-center gap-1.5 overflow-hidden text-xs whitespace-nowrap">
      {verified ? (
        <span className="flex items-center gap-1" title={trace.tierReason ?? undefined}>
          <verified.icon size={14} aria-hidden className={verified.ink} />
          {verified.word}
        </span>
      ) : null}
      {counts.failedToolCalls > 0 ? (
        <span className="text-second">
          {verified ? '· ' : ''}
          {plural(counts.failedToolCalls, 'tool error')}
        </span>
      ) : null}
      {counts.commits > 0 ? (
        <Figure
          icon={<GitCommitHorizontal size={14} aria-hidden className="text-second" />}
          value={counts.commits}
          words={plural(counts.commits, 'commit')}
        />
      ) : null}
      {counts.rejectedToolCalls > 0 ? (
        <Figure
          icon={<Hand size={14} aria-hidden className="text-warn" />}
          value={counts.rejectedToolCalls}
          words={`${plural(counts.rejectedToolCalls, 'call')} rejected`}
        />
      ) : null}
    </span>
  )
}

const Figure = ({ icon, value, words }: { icon: ReactNode; value: number; words: string }) => (
  <span title={words} className="flex items-center gap-0.5">
    {icon}
    <span aria-hidden>{formatCount(value)}</span>
    <span className="sr-only">{words}</span>
  </span>
)
