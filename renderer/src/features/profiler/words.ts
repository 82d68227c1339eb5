import type { BottleneckRule, ProfileSource, SpanKind, SpanTokens } from '#contracts/entities/profile.ts'
import type { ReportedCost } from '#contracts/entities/profile.ts'
import { formatDuration, formatUsd, plural } from '#renderer/ui/format.ts'

export const KIND_WORDS: Readonly<Record<SpanKind, string>> = {
  agent: 'Agent',
  llm: 'Model',
  tool: 'Tool',
  wait: 'Waiting',
  guard: 'Guard',
  other: 'Other',
}

/** What draws the bar of a kind; waiting is hatched. */
export const KIND_CLASSES: Readonly<Record<SpanKind, string>> = {
  agent: 'border border-series-3 bg-series-3/20',
  llm: 'bg-series-1',
  tool: 'bg-series-2',
  wait: 'border border-edge bg-(image:--pending-hatch)',
  guard: 'bg-bad',
  other: 'bg-series-4',
}

export const RULE_WORDS: Readonly<Record<BottleneckRule, { name: string; rule: string }>> = {
  mostly_waiting: { name: 'Mostly waiting', rule: 'The session waited for you more than half of the time.' },
  slow_tool: { name: 'One slow tool', rule: 'One tool takes more than 40 % of the working time.' },
  cache_lost_after_pause: {
    name: 'Cache lost after a pause',
    rule: 'More than 5 minutes after the request before it, a request read less than half of that prompt from the cache.',
  },
  context_over_half: {
    name: 'Context over half full',
    rule: 'A request to Claude sent more than half of what fits: 100,000 tokens, or 500,000 with the long context.',
  },
  repeated_command: { name: 'Same command again', rule: 'The same call was made at least four times.' },
  failing_calls: { name: 'Many failed calls', rule: 'More than a third of at least six calls failed.' },
}

export const NOT_MEASURED = 'not measured'
export const timeWord = (ms: number | null): string => (ms === null ? NOT_MEASURED : formatDuration(ms))

export const TOKEN_SERIES = [
  { id: 'input', label: 'Input', color: 'var(--series-1)' },
  { id: 'output', label: 'Output', color: 'var(--series-2)' },
  { id: 'cacheRead', label: 'Cache read', color: 'var(--series-4)' },
  { id: 'cacheWrite', label: 'Cache write', color: 'var(--series-3)' },
] as const satisfies readonly { id: keyof SpanTokens; label: string; color: string }[]

export const PROFILER_TABS = {
  label: 'Profiler',
  tabs: [
    { id: 'sessions', href: '/profiler', label: 'Sessions' },
    { id: 'recorded', href: '/profiler/recorded', label: 'Recorded' },
    { id: 'across', href: '/profiler/across', label: 'Across sessions' },
  ],
}

export const UNTITLED = 'Session without a title'

export const SOURCE_WORDS: Readonly<Record<ProfileSource, string>> = {
  session: 'Session',
  rollout: 'Rollout',
  exam: 'Exam',
  proxy: 'Proxy',
  telemetry: 'Telemetry',
  profiler: 'Python profiler',
}

/** Claude Code's own cost beside ours for the same requests. */
export function reportedWords({ requests, missing, costUsd, ownUsd }: ReportedCost): string {
  if (requests === 0) return `Claude Code reported ${plural(missing, 'request')} that this session does not have`
  const more = missing === 0 ? '' : `; ${plural(missing, 'more request')} not in this session`
  const own = ownUsd === null ? 'ours is not known' : `ours ${formatUsd(ownUsd)}, difference ${formatUsd(Math.abs(costUsd - ownUsd))}`
  return `Claude Code reported ${formatUsd(costUsd)} for ${plural(requests, 'request')} (${own}${more})`
}
