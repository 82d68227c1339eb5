import { useState } from 'react'
import type { Batch } from '#contracts/entities/batch.ts'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { formatUsd, plural } from '#renderer/ui/format.ts'
import { openOf } from './words.ts'

/** Asks for a new cost limit before a batch continues. */
export function RetryDialog({
  batch,
  maxCostUsd,
  open,
  onOpenChange,
  onRetry,
}: {
  batch: Batch
  maxCostUsd: number
  open: boolean
  onOpenChange: (open: boolean) => void
  onRetry: (maxCostUsd: number) => void
}) {
  const [text, setText] = useState(String(maxCostUsd))
  const limit = Number(text)
  const spent = batch.costUsd ?? 0
  const isUsable = text.trim() !== '' && Number.isFinite(limit) && limit > spent
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title={`Continue with ${plural(openOf(batch.counts), 'attempt')}?`}
      action="Continue"
      danger={false}
      reason={isUsable ? null : `Enter an amount above the ${formatUsd(spent)} that the runs have already cost.`}
      onConfirm={() => onRetry(limit)}
    >
      <p>Only attempts without a result are repeated. So far the runs have cost {formatUsd(batch.costUsd)}.</p>
      <TextField label="Cost limit of all runs, in US dollars" inputMode="decimal" value={text} onChange={setText} className="w-40" />
    </Confirm>
  )
}
