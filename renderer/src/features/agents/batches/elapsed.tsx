import type { Batch } from '#contracts/entities/batch.ts'
import { formatDuration } from '#renderer/ui/format.ts'
import { useNow } from '#renderer/ui/use-now.ts'

export function Elapsed({ batch: { createdAt, endedAt } }: { batch: Batch }) {
  const now = useNow(endedAt === null)
  return <>{formatDuration((endedAt === null ? now : Date.parse(endedAt)) - Date.parse(createdAt))}</>
}
