import { useId, useState } from 'react'
import type { Batch } from '#contracts/entities/batch.ts'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { formatUsd, plural } from '#renderer/ui/format.ts'
import { openOf } from './words.ts'

/** Asks what all runs of a batch together may cost before it goes on. */
export function RetryDialog({
  batch,
  most,
  open,
  onOpenChange,
  onRetry,
}: {
  batch: Batch
  most: number
  open: boolean
  onOpenChange: (open: boolean) => void
  onRetry: (maxCostUsd: number) => void
}) {
  const id = useId()
  const [text, setText] = useState(String(most))
  const limit = Number(text)
  const spent = batch.costUsd ?? 0
  const isUsable = text.trim() !== '' && Number.isFinite(limit) && limit > spent
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title={`Go on with ${plural(openOf(batch.counts), 'attempt')}?`}
      action="Go on"
      danger={false}
      reason={isUsable ? null : `Enter an amount above the ${formatUsd(spent)} that its runs have cost.`}
      onConfirm={() => onRetry(limit)}
    >
      <p>Attempts without a result are made again, and no others. The runs have cost {formatUsd(batch.costUsd)} until now.</p>
      <label htmlFor={id} className="flex flex-col gap-1 text-text">
        All runs together may cost, in US dollars
        <TextInput id={id} inputMode="decimal" value={text} onChange={setText} className="w-40" />
      </label>
    </Confirm>
  )
}
