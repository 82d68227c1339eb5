import type { Batch } from '#contracts/entities/batch.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { BATCH_STATES } from './words.ts'

export function BatchStateBadge({ batch: { state, detail } }: { batch: Pick<Batch, 'state' | 'detail'> }) {
  const { icon: Icon, tone, label, description } = BATCH_STATES[state]
  return (
    <span title={detail ?? description}>
      <Badge tone={tone}>
        <Icon size={12} aria-hidden />
        {label}
      </Badge>
    </span>
  )
}
