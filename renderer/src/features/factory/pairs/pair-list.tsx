import { useImperativeHandle, useRef, type Ref } from 'react'
import type { Pair, ReviewState } from '#contracts/entities/example.ts'
import { Badge, type Tone } from '#renderer/ui/badge.tsx'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { formatScore } from '#renderer/app/words/score.ts'
import { VirtualList, type VirtualListHandle } from '#renderer/ui/lists/virtual-list.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { STATE_WORDS } from '../examples/words.ts'
import { SOURCE_WORDS } from './words.ts'

export interface PairListHandle {
  show: (index: number) => void
}

interface Props {
  pairs: readonly Pair[]
  total: number
  currentId: string | null
  openId: string | null
  selected: ReadonlySet<string>
  /** Nothing stands beside it, so a line has room for more. */
  wide: boolean
  onOpen: (id: string) => void
  onToggle: (id: string) => void
  onEnd: () => void
  ref: Ref<PairListHandle>
}

const ROW_PX = 56

/** The pairs, of which only those in view exist. */
export function PairList({ pairs, total, onEnd, ref, ...rest }: Props) {
  const list = useRef<VirtualListHandle>(null)
  useImperativeHandle(ref, () => ({ show: (index) => list.current?.scrollToIndex(index) }), [])
  return (
    <VirtualList ref={list} items={pairs} total={total} estimate={ROW_PX} keyOf={({ id }) => id} label="Pairs" onEnd={onEnd}>
      {(pair) => <PairRow pair={pair} {...rest} />}
    </VirtualList>
  )
}

const TONE: Record<ReviewState, Tone> = { proposed: 'neutral', accepted: 'ok', rejected: 'bad' }

function PairRow({
  pair,
  currentId,
  openId,
  selected,
  wide,
  onOpen,
  onToggle,
}: { pair: Pair } & Omit<Props, 'pairs' | 'total' | 'onEnd' | 'ref'>) {
  return (
    <div
      className={cn(
        'flex h-14 items-center gap-2 border-b border-line px-3 hover:bg-raised',
        (pair.id === openId || selected.has(pair.id)) && 'bg-raised',
        pair.id === currentId && 'shadow-[inset_3px_0_0_var(--accent)]',
      )}
    >
      <Checkbox label={`Select: ${pair.promptText.slice(0, 60)}`} checked={selected.has(pair.id)} onChange={() => onToggle(pair.id)} />
      <button
        type="button"
        aria-current={pair.id === openId || undefined}
        onClick={() => onOpen(pair.id)}
        className="focus-inset flex h-full min-w-0 flex-1 items-center gap-3 text-left text-sm"
      >
        <span className="flex min-w-0 flex-1 flex-col gap-0.5">
          <span className="truncate">
            <Visible text={pair.promptText.replaceAll(/\s+/g, ' ')} />
          </span>
          <span className="truncate text-xs text-second" title={pair.why}>
            {SOURCE_WORDS[pair.source].label} · {pair.why}
          </span>
        </span>
        {wide ? (
          <>
            <span className="w-40 truncate text-xs text-second max-[900px]:hidden">{pair.repo ?? 'No repository'}</span>
            <span className="w-28 text-right text-xs text-second max-[900px]:hidden">
              {pair.similarity === null ? 'same prompt' : `similarity ${formatScore(pair.similarity)}`}
            </span>
            <span className="w-36 text-xs text-second">
              {tierOf(pair.chosen)} over {tierOf(pair.rejected)}
            </span>
          </>
        ) : null}
        <Badge tone={TONE[pair.state]}>{STATE_WORDS[pair.state]}</Badge>
      </button>
    </div>
  )
}

const tierOf = ({ tier, unverified }: Pair['chosen']) => (unverified ? `${tier}, unverified` : tier)
