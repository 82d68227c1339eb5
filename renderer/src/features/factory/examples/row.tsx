import { Check, X } from 'lucide-react'
import { memo, type MouseEvent, type ReactNode } from 'react'
import type { Example, ReviewState } from '#contracts/entities/example.ts'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { formatCompact, formatCount } from '#renderer/ui/format.ts'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { TierMark } from '#renderer/ui/tier-mark.tsx'
import type { Column, ColumnId } from './columns.ts'
import { findingWord, flagWords, STATE_WORDS } from './words.ts'

const BAR: Record<ReviewState, string> = { proposed: 'bg-edge', accepted: 'bg-ok', rejected: 'bg-bad' }

interface Props {
  id: string
  example: Example
  index: number
  columns: readonly Column[]
  current: boolean
  open: boolean
  selected: boolean
  onPress: (example: Example, event: MouseEvent) => void
  onToggle: (example: Example) => void
}

/** One example: a bar of its state, then one line. */
export const ExampleRow = memo(function ExampleRow({ id, example, index, columns, current, open, selected, onPress, onToggle }: Props) {
  return (
    // keys act on the grid around it
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-current={open || undefined}
      onClick={(event) => onPress(example, event)}
      className={cn(
        'relative flex h-full cursor-default items-center border-b border-line pl-1 text-sm',
        open ? 'bg-raised' : selected ? 'bg-accent/12' : 'hover:bg-raised/60',
        current && 'outline-2 -outline-offset-2 outline-accent',
      )}
    >
      <span aria-hidden className={cn('absolute inset-y-0 left-0 w-1', BAR[example.state])} />
      <div role="gridcell" className="flex w-8 shrink-0 justify-center">
        <Checkbox
          label={`Select ${example.prompt.slice(0, 80)}`}
          checked={selected}
          onChange={() => onToggle(example)}
          onClick={(event) => event.stopPropagation()}
          tabIndex={-1}
        />
      </div>
      {columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          style={column.id === 'prompt' ? { minWidth: 0 } : { width: column.width }}
          className={cn(
            'min-w-0 px-2',
            column.id === 'prompt' ? 'flex-1' : 'shrink-0',
            column.numeric && 'text-right font-mono text-xs whitespace-nowrap',
          )}
        >
          {CELLS[column.id](example)}
        </div>
      ))}
    </div>
  )
})

const CELLS: Record<ColumnId, (example: Example) => ReactNode> = {
  tier: ({ tier }) => <TierMark mark={tier} />,
  prompt: ({ prompt, part }) => (
    <span className="block truncate" title={prompt}>
      {prompt.trim() === '' ? <span className="text-second">no prompt</span> : prompt}
      {part > 1 ? <span className="text-second"> · part {part}</span> : null}
    </span>
  ),
  repo: ({ repo }) =>
    repo === null ? (
      <span className="text-second" title="No repository is known.">
        –
      </span>
    ) : (
      <MiddleCut text={repo} end={5} />
    ),
  steps: ({ steps }) => formatCount(steps),
  turns: ({ turns }) => formatCount(turns),
  tokens: ({ tokens }) => (
    <span title={`${tokens.exact ? '' : 'Estimate: '}${formatCount(tokens.count)} tokens, ${tokens.tokenizer}`}>
      {tokens.exact ? '' : '≈ '}
      {formatCompact(tokens.count)}
    </span>
  ),
  findings: ({ findings }) => {
    const types = Object.entries(findings)
    const sum = types.reduce((total, [, count]) => total + count, 0)
    return (
      <span title={types.map(([type, count]) => `${findingWord(type)} ${count}`).join(', ') || 'nothing found'}>{formatCount(sum)}</span>
    )
  },
  flags: ({ flags }) => (
    <span className="block truncate text-xs text-second" title={flags.map((flag) => flagWords(flag).meaning).join('\n')}>
      {flags.map((flag) => flagWords(flag).label).join(', ')}
    </span>
  ),
  state: ({ state }) => <StateWord state={state} />,
}

/** The state as a word, with a sign for those that were decided. */
export const StateWord = ({ state }: { state: ReviewState }) => (
  <span className="flex items-center gap-1 text-xs whitespace-nowrap">
    {state === 'accepted' ? <Check size={14} aria-hidden className="text-ok" /> : null}
    {state === 'rejected' ? <X size={14} aria-hidden className="text-bad" /> : null}
    {STATE_WORDS[state]}
  </span>
)
