import { X } from 'lucide-react'
import { useMemo } from 'react'
import type { PairDetail, ReviewState } from '#contracts/entities/example.ts'
import { traceHref, stepHref } from '#renderer/app/links.ts'
import { formatScore } from '#renderer/app/words/score.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Visible, visible } from '#renderer/ui/visible.tsx'
import { ReviewButtons } from '../review-buttons.tsx'
import { TextSkeleton } from '../skeletons.tsx'
import { TierMark } from '#renderer/ui/tier-mark.tsx'
import { flagWords, STATE_WORDS } from '../examples/words.ts'
import { compareSides, linesOf, type SideLine } from './differences.ts'
import { usePair } from './queries.ts'
import { SOURCE_WORDS } from './words.ts'

interface Props {
  id: string
  onReview: (state: ReviewState) => void
  onClose: () => void
}

/** The open pair: shared messages, then the chosen and the rejected side with their differences marked. */
export function OpenPair({ id, onReview, onClose }: Props) {
  const pair = usePair(id)
  if (pair.error)
    return (
      <ErrorState
        title="Couldn't open the pair"
        error={pair.error}
        retry={() => void pair.refetch()}
        action={<Button onClick={onClose}>Close</Button>}
        className="m-4"
      />
    )
  if (!pair.data)
    return (
      <div className="p-4">
        <TextSkeleton label="Loading the pair" />
      </div>
    )
  return <Body pair={pair.data} onReview={onReview} onClose={onClose} />
}

function Body({ pair, onReview, onClose }: { pair: PairDetail } & Omit<Props, 'id'>) {
  const { row } = pair
  const sides = useMemo(() => compareSides(row.chosen, row.rejected), [row])
  const prompt = useMemo(() => linesOf(row.prompt).map((text) => ({ text, isOnly: false })), [row])
  return (
    <section aria-label="Pair" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <Header pair={pair} onReview={onReview} onClose={onClose} />
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4">
        <details open={row.prompt.length < 4} className="rounded border border-line">
          <summary className="px-3 py-1.5 text-sm">
            Both start with {plural(row.prompt.length, 'message')}{' '}
            <span className="text-second">and can use {plural(row.tools.length, 'tool')}</span>
          </summary>
          <Lines label="Shared messages" lines={prompt} sign="" className="max-h-80 border-t border-line" />
        </details>
        <div className="grid min-h-80 flex-1 grid-cols-2 gap-3">
          <Side title="Chosen" sign="+" tone="ok" side={pair.chosen} lines={sides.chosen} />
          <Side title="Rejected" sign="−" tone="bad" side={pair.rejected} lines={sides.rejected} />
        </div>
        <p className="text-xs text-second">Lines marked + or − appear on that side only.</p>
      </div>
    </section>
  )
}

function Header({ pair, onReview, onClose }: { pair: PairDetail } & Omit<Props, 'id'>) {
  const { label, meaning } = SOURCE_WORDS[pair.source]
  return (
    <header className="flex shrink-0 flex-col gap-2 border-b border-line px-4 py-3">
      <div className="flex items-start gap-2">
        <h2 className="line-clamp-2 min-w-0 flex-1 text-lg font-semibold break-words" title={visible(pair.promptText)}>
          <Visible text={pair.promptText.trim() || 'Pair without a prompt'} />
        </h2>
        <IconButton icon={X} size="small" label="Close" keys={keyOf('back')} onClick={onClose} />
      </div>
      <p className="text-sm">
        <span title={meaning}>{label}</span>: <span className="break-words">{pair.why}</span>
      </p>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-second">
        <span>{pair.similarity === null ? 'Same prompt' : `Prompt similarity ${formatScore(pair.similarity)} (TF-IDF cosine)`}</span>
        <span>{pair.repo ?? 'No repository'}</span>
        {pair.flags.map((flag) => (
          <Badge key={flag}>
            <span title={flagWords(flag).meaning}>{flagWords(flag).label}</span>
          </Badge>
        ))}
        <span>{STATE_WORDS[pair.state]}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        <ReviewButtons state={pair.state} onReview={onReview} />
      </div>
    </header>
  )
}

function Side({
  title,
  sign,
  tone,
  side,
  lines,
}: {
  title: string
  sign: string
  tone: 'ok' | 'bad'
  side: PairDetail['chosen']
  lines: readonly SideLine[]
}) {
  const { traceId, stepId, tier, unverified, steps } = side
  const href = stepId === null ? traceHref(traceId) : stepHref(traceId, stepId)
  return (
    <section aria-label={title} className={cn('flex min-w-0 flex-col rounded border', tone === 'ok' ? 'border-ok' : 'border-bad')}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1.5 text-sm">
        <h3 className="font-semibold">{title}</h3>
        <TierMark mark={tier} unverified={unverified} word />
        <span className="text-xs text-second">{plural(steps, 'step')}</span>
        <TextLink href={href} className="ml-auto text-xs">
          {stepId === null ? 'Open session' : 'Open step'}
        </TextLink>
      </div>
      <Lines label={`${title} response`} lines={lines} sign={sign} tone={tone} className="min-h-0 flex-1" />
    </section>
  )
}

function Lines({
  label,
  lines,
  sign,
  tone,
  className,
}: {
  label: string
  lines: readonly SideLine[]
  sign: string
  tone?: 'ok' | 'bad'
  className?: string
}) {
  return (
    <div
      // a scrolled region must be reachable by keyboard
      tabIndex={0}
      role="region"
      aria-label={label}
      className={cn('focus-inset overflow-auto py-1 font-mono text-xs leading-[1.5]', className)}
    >
      {lines.map(({ text, isOnly }, index) => (
        <div
          // lines of one side never move
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          className={cn('flex px-1', isOnly && (tone === 'ok' ? 'bg-ok/12' : 'bg-bad/12'), text.startsWith('── ') && 'text-second')}
        >
          <span className="w-4 shrink-0 text-center select-none">{isOnly ? sign : ''}</span>
          <span className="min-w-0 break-words whitespace-pre-wrap">
            <Visible text={text === '' ? ' ' : text} />
          </span>
        </div>
      ))}
    </div>
  )
}
