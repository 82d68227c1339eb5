import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** A small panel at its trigger. `trigger` must be one element that takes a ref. */
export function Popover({
  trigger,
  label,
  children,
  align = 'start',
  open,
  onOpenChange,
}: {
  trigger: ReactNode
  /** Accessible name of the panel. */
  label: string
  children: ReactNode
  align?: 'start' | 'center' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
}) {
  return (
    <Radix.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="float-in z-50 max-h-[70vh] max-w-[min(92vw,420px)] min-w-48 overflow-y-auto rounded border border-line bg-panel p-3 text-sm shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
