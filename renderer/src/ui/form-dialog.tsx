import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** A dialog with a form: one button sends it, the other closes the dialog. Mounted only while it is open. */
export function FormDialog({
  title,
  description,
  wide = false,
  action,
  keys,
  close = 'Cancel',
  reason,
  busy,
  onSubmit,
  onClose,
  children,
}: {
  title: string
  description?: ReactNode
  wide?: boolean
  /** Label of the button that sends the form. */
  action: string
  /** The keys that send the form too, as printed on the button. */
  keys?: string
  /** Label of the button that closes the dialog. */
  close?: 'Cancel' | 'Close'
  /** Why the form cannot be sent now. */
  reason: string | null
  busy: boolean
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      wide={wide}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onClose}>{close}</Button>
          <Button look="primary" keys={keys} reason={reason} busy={busy} onClick={onSubmit}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
