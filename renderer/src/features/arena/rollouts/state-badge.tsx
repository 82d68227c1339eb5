import type { RolloutSet } from '#contracts/entities/rollout.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { SET_STATES } from './words.ts'

export function SetStateBadge({ set: { state, detail } }: { set: Pick<RolloutSet, 'state' | 'detail'> }) {
  const { icon: Icon, tone, label, description } = SET_STATES[state]
  return (
    <span title={detail ?? description}>
      <Badge tone={tone}>
        <Icon size={12} aria-hidden />
        {label}
      </Badge>
    </span>
  )
}
