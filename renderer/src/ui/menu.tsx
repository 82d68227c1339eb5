import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentType, ReactNode } from 'react'
import { cn } from './cn.ts'
import { KeyHint } from './key-hint.tsx'

/** A menu behind a button. `trigger` must be one element that takes a ref (a Button). */
export function Menu({
  trigger,
  children,
  align = 'start',
}: {
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'center' | 'end'
}) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="float-in z-50 max-h-[60vh] min-w-44 overflow-y-auto rounded border border-line bg-panel p-1 shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const item =
  'flex h-8 cursor-pointer items-center gap-2 rounded-sm px-2 text-sm outline-none select-none data-[disabled]:cursor-not-allowed data-[disabled]:opacity-60 data-[highlighted]:bg-raised data-[highlighted]:outline-2 data-[highlighted]:-outline-offset-2 data-[highlighted]:outline-accent'

export function MenuItem({
  icon: Icon,
  keys,
  danger = false,
  disabled = false,
  onSelect,
  children,
}: {
  icon?: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>
  keys?: string | undefined
  danger?: boolean
  disabled?: boolean
  onSelect: () => void
  children: ReactNode
}) {
  return (
    <Radix.Item className={cn(item, danger && 'text-bad')} disabled={disabled} onSelect={onSelect}>
      {Icon ? <Icon size={16} aria-hidden /> : null}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {keys ? <KeyHint keys={keys} /> : null}
    </Radix.Item>
  )
}

export function MenuCheck({
  checked,
  onChange,
  children,
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}) {
  return (
    <Radix.CheckboxItem className={item} checked={checked} onCheckedChange={onChange} onSelect={(event) => event.preventDefault()}>
      <span aria-hidden className="w-4 text-accent">
        {checked ? '✓' : ''}
      </span>
      {children}
    </Radix.CheckboxItem>
  )
}

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Radix.Label className="px-2 py-1 text-xs text-second">{children}</Radix.Label>
)
export const MenuLine = () => <Radix.Separator className="my-1 h-px bg-line" />
