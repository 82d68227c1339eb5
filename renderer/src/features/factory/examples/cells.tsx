import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Example, ReviewState } from '#contracts/entities/example.ts'
import { formatCompact, formatCount } from '#renderer/ui/format.ts'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { TierMark } from '#renderer/ui/tier-mark.tsx'
import { Visible, visible } from '#renderer/ui/visible.tsx'
import type { ColumnId } from './columns.ts'
import { findingWord, flagWords, STATE_WORDS } from './words.ts'

/** Colour of a row's bar by state. */
export const STATE_BARS: Record<ReviewState, string> = { proposed: 'bg-edge', accepted: 'bg-ok', rejected: 'bg-bad' }

export const CELLS: Record<ColumnId, (example: Example) => ReactNode> = {
  tier: ({ tier, unverified }) => <TierMark mark={tier} unverified={unverified} />,
  prompt: ({ prompt, part }) => (
    <span className="block truncate" title={visible(prompt)}>
      {prompt.trim() === '' ? <span className="text-second">no prompt</span> : <Visible text={prompt} />}
      {part > 1 ? <span className="text-second"> · part {part}</span> : null}
    </span>
  ),
  repo: ({ repo }) =>
    repo === null ? (
      <span className="text-second" title="No known repository">
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
    return <span title={types.map(([type, count]) => `${findingWord(type)} ${count}`).join(', ') || 'no findings'}>{formatCount(sum)}</span>
  },
  flags: ({ flags }) => (
    <span className="block truncate text-xs text-second" title={flags.map((flag) => flagWords(flag).meaning).join('\n')}>
      {flags.map((flag) => flagWords(flag).label).join(', ')}
    </span>
  ),
  state: ({ state }) => <StateWord state={state} />,
}

/** The state as a word, with an icon for reviewed ones. */
export const StateWord = ({ state }: { state: ReviewState }) => (
  <span className="flex items-center gap-1 text-xs whitespace-nowrap">
    {state === 'accepted' ? <Check size={14} aria-hidden className="text-ok" /> : null}
    {state === 'rejected' ? <X size={14} aria-hidden className="text-bad" /> : null}
    {STATE_WORDS[state]}
  </span>
)
