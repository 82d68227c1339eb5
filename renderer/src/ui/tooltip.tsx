import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { KeyHint } from './key-hint.tsx'

export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={400} skipDelayDuration={150}>
    {children}
  </Radix.Provider>
)

/** The child must be one element that takes a ref. */
export function Tooltip({
  text,
  keys,
  side = 'top',
  children,
}: {
  text: ReactNode
  keys?: string | undefined
  side?: 'top' | 'right' | 'bottom' | 'left'
  children: ReactNode
}) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="float-in z-50 flex max-w-80 items-center gap-2 rounded border border-line bg-raised px-2 py-1 text-xs text-text shadow-float"
        >
          {text}
          {keys ? <KeyHint keys={keys} /> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
