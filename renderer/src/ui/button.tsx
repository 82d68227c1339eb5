import type { ButtonHTMLAttributes, ComponentType, MouseEvent, ReactNode, Ref } from 'react'
import { cn } from './cn.ts'
import { KeyHint } from './key-hint.tsx'
import { Tooltip } from './tooltip.tsx'

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  /** `primary` at most once per screen. */
  look?: 'primary' | 'plain' | 'quiet' | 'danger'
  size?: 'small' | 'normal'
  icon?: ComponentType<{ size?: number; 'aria-hidden'?: boolean; className?: string }>
  /** Key as printed on the button, e.g. "G" or "Ctrl K". */
  keys?: string | undefined
  /** Why it can't be used now. The button stays focusable and shows the reason; null or undefined: usable. */
  reason?: string | null | undefined
  busy?: boolean
  children?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

const looks = {
  primary: 'bg-accent text-on-accent border-accent hover:brightness-90 font-semibold',
  plain: 'bg-panel text-text border-edge hover:bg-raised',
  quiet: 'bg-transparent text-text border-transparent hover:bg-raised',
  danger: 'bg-panel text-bad border-bad hover:bg-raised',
} as const

export function Button({
  look = 'plain',
  size = 'normal',
  icon: Icon,
  keys,
  reason,
  busy = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const blocked = Boolean(reason) || busy
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (blocked) event.preventDefault()
    else onClick?.(event)
  }
  const button = (
    <button
      type={type}
      className={cn(
        'inline-flex shrink-0 items-center justify-center gap-2 rounded border whitespace-nowrap transition-colors duration-100 select-none',
        size === 'small' ? 'h-7 px-2 text-xs' : 'h-8 px-3 text-sm',
        looks[look],
        blocked && 'cursor-not-allowed opacity-60',
        className,
      )}
      aria-disabled={blocked || undefined}
      aria-busy={busy || undefined}
      onClick={press}
      {...rest}
    >
      {Icon ? <Icon size={16} aria-hidden className="shrink-0" /> : null}
      {children}
      {keys ? <KeyHint keys={keys} on={look === 'primary' ? 'accent' : 'surface'} /> : null}
    </button>
  )
  return reason ? <Tooltip text={reason}>{button}</Tooltip> : button
}

/** A button that is only an icon: the label is its accessible name and its tooltip. */
export function IconButton({ label, keys, reason, ...rest }: Omit<ButtonProps, 'children'> & { label: string }) {
  return (
    <Tooltip text={reason ?? label} keys={keys}>
      <Button
        look="quiet"
        aria-label={label}
        {...rest}
        aria-disabled={reason ? true : undefined}
        className={cn('w-8 px-0!', rest.className)}
      />
    </Tooltip>
  )
}
