import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { cn } from './cn.ts'
import { useReturnFocus } from './use-return-focus.ts'

/** A modal window. For decisions that can't wait; everything else is a drawer or a popover. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  wide = false,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  children?: ReactNode
  footer?: ReactNode
  wide?: boolean
}) {
  const focus = useReturnFocus()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-bg/70" />
        <Radix.Content
          className={cn(
            'float-in fixed outline-none top-1/2 left-1/2 z-40 flex max-h-[86vh] w-[min(92vw,520px)] -translate-x-1/2 -translate-y-1/2 flex-col rounded border border-line bg-panel shadow-float',
            wide && 'w-[min(94vw,840px)]',
          )}
          tabIndex={-1}
          // focus on the close button would open its tooltip with every dialog
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            focus.remember()
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            focus.restore()
          }}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <div className="flex items-start gap-3 px-4 pt-3">
            <Radix.Title className="min-w-0 flex-1 pt-1 text-lg font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label="Close" icon={X} keys="Esc" />
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-4 pt-1 pb-4">
            {description ? <Radix.Description className="pb-2 text-sm text-second">{description}</Radix.Description> : null}
            {children}
          </div>
          {footer ? <div className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">{footer}</div> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
