import { RotateCcw, Square } from 'lucide-react'
import { useState } from 'react'
import type { Batch } from '#contracts/entities/batch.ts'
import { useBatchActions } from '#renderer/api/batches.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { plural } from '#renderer/ui/format.ts'
import { DownloadMenu } from '#renderer/ui/download-menu.tsx'
import { RetryDialog } from './retry-dialog.tsx'
import { endedOf, openOf } from './words.ts'

const FORMATS = [
  { format: 'jsonl', label: 'Results as JSON lines' },
  { format: 'csv', label: 'Results as CSV' },
] as const

export function BatchActions({ batch }: { batch: Batch }) {
  const [isConfirming, setConfirming] = useState(false)
  const offline = useOfflineReason()
  const { cancel, retry, download } = useBatchActions(batch.id)
  const openCount = openOf(batch.counts)
  const hasResults = endedOf(batch.counts) > 0
  return (
    <>
      <DownloadMenu
        label="Download"
        reason={offline ?? (hasResults ? null : 'No attempt has ended yet.')}
        busy={download.isPending}
        formats={FORMATS}
        onSelect={download.mutate}
      />
      {batch.state === 'running' ? (
        <Button icon={Square} look="danger" reason={offline} busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {cancel.isPending ? 'Cancelling …' : 'Cancel batch'}
        </Button>
      ) : openCount > 0 ? (
        <Button
          icon={RotateCcw}
          look="primary"
          reason={offline}
          busy={retry.isPending}
          onClick={() => (batch.maxCostUsd === null ? retry.mutate(undefined) : setConfirming(true))}
        >
          {batch.counts.waiting === 0 ? `Retry ${plural(openCount, 'attempt')}` : `Continue with ${plural(openCount, 'attempt')}`}
        </Button>
      ) : null}
      {batch.maxCostUsd === null ? null : (
        <RetryDialog batch={batch} maxCostUsd={batch.maxCostUsd} open={isConfirming} onOpenChange={setConfirming} onRetry={retry.mutate} />
      )}
    </>
  )
}
