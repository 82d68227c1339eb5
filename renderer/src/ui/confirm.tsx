import { useId, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextInput } from './field.tsx'

/** Asks before an action that can't be undone. With `typed`, that word must be typed first. */
export function Confirm({
  open,
  onOpenChange,
  title,
  children,
  action,
  typed,
  danger = true,
  reason = null,
  onConfirm,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  children: ReactNode
  action: string
  typed?: string
  danger?: boolean
  /** Why it can't be done now. */
  reason?: string | null
  onConfirm: () => void
}) {
  const [text, setText] = useState('')
  const id = useId()
  const close = (next: boolean) => {
    setText('')
    onOpenChange(next)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={title}
      footer={
        <>
          <Button look="quiet" onClick={() => close(false)}>
            Cancel
          </Button>
          <Button
            look={danger ? 'danger' : 'primary'}
            reason={reason ?? (typed !== undefined && text !== typed ? `Type ${typed} first.` : null)}
            onClick={() => {
              close(false)
              onConfirm()
            }}
          >
            {action}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 pt-1 text-sm text-second">{children}</div>
      {typed === undefined ? null : (
        <label htmlFor={id} className="mt-4 flex flex-col gap-1 text-sm">
          <span>
            Type <bdi className="font-mono font-bold break-words whitespace-pre-wrap">{typed}</bdi> to continue
          </span>
          <TextInput id={id} value={text} onChange={setText} autoComplete="off" />
        </label>
      )}
    </Dialog>
  )
}
