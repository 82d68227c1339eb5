import { Download, RotateCcw, Square } from 'lucide-react'
import { useState } from 'react'
import type { Batch } from '#contracts/entities/batch.ts'
import { useBatchActs } from '#renderer/api/batches.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { plural } from '#renderer/ui/format.ts'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { RetryDialog } from './retry-dialog.tsx'
import { endedOf, openOf } from './words.ts'

/** What can be done to a batch. */
export function BatchActs({ batch }: { batch: Batch }) {
  const [isAsking, setAsking] = useState(false)
  const offline = useOfflineReason()
  const { cancel, retry, download } = useBatchActs(batch.id)
  const open = openOf(batch.counts)
  const hasResults = endedOf(batch.counts) > 0
  return (
    <>
      <Menu
        trigger={
          <Button icon={Download} reason={offline ?? (hasResults ? null : 'No attempt has ended yet.')} busy={download.isPending}>
            Download
          </Button>
        }
        align="end"
      >
        <MenuItem onSelect={() => download.mutate('jsonl')}>Results as JSON lines</MenuItem>
        <MenuItem onSelect={() => download.mutate('csv')}>Results as CSV</MenuItem>
      </Menu>
      {batch.state === 'running' ? (
        <Button icon={Square} look="danger" reason={offline} busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {cancel.isPending ? 'Cancelling …' : 'Cancel batch'}
        </Button>
      ) : open > 0 ? (
        <Button
          icon={RotateCcw}
          look="primary"
          reason={offline}
          busy={retry.isPending}
          onClick={() => (batch.maxCostUsd === null ? retry.mutate(undefined) : setAsking(true))}
        >
          {batch.counts.waiting === 0 ? `Retry ${open} owed` : `Go on with ${plural(open, 'attempt')}`}
        </Button>
      ) : null}
      {batch.maxCostUsd === null ? null : (
        <RetryDialog batch={batch} most={batch.maxCostUsd} open={isAsking} onOpenChange={setAsking} onRetry={retry.mutate} />
      )}
    </>
  )
}
