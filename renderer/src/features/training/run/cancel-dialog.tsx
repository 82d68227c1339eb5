import { Copy } from 'lucide-react'
import type { Run } from '#contracts/entities/run.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { cancelWords } from './cancel-words.ts'

/** Asks whether to end a run, and whether to keep what it has learned. */
export function CancelDialog({
  run,
  open,
  onClose,
  onCancel,
}: {
  run: Pick<Run, 'state' | 'step'>
  open: boolean
  onClose: () => void
  onCancel: (keepCheckpoint: boolean) => void
}) {
  const { description, keep, drop } = cancelWords(run)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Cancel this run?"
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Keep running
          </Button>
          {keep === null ? null : (
            <Button icon={Copy} onClick={() => onCancel(true)}>
              {keep}
            </Button>
          )}
          <Button look="danger" onClick={() => onCancel(false)}>
            {drop}
          </Button>
        </>
      }
    >
      <p className="pt-1 text-sm text-second">{description}</p>
    </Dialog>
  )
}
