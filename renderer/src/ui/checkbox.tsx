import { Check, Minus } from 'lucide-react'
import { Checkbox as Radix } from 'radix-ui'
import type { MouseEventHandler } from 'react'

/** The click target is 24 px, the box inside it 16. */
export function Checkbox({
  id,
  label,
  checked,
  disabled = false,
  onChange,
  onClick,
  tabIndex,
}: {
  id?: string
  label?: string
  checked: boolean | 'indeterminate'
  /** Ignores clicks but stays focusable, so that a short wait does not lose the keyboard focus. */
  disabled?: boolean
  onChange: (checked: boolean) => void
  onClick?: MouseEventHandler<HTMLButtonElement>
  tabIndex?: number
}) {
  return (
    <Radix.Root
      id={id}
      aria-label={label}
      checked={checked}
      aria-disabled={disabled || undefined}
      onCheckedChange={(next) => !disabled && onChange(next === true)}
      onClick={onClick}
      tabIndex={tabIndex}
      className="group focus-inset inline-flex size-6 shrink-0 items-center justify-center rounded-sm aria-disabled:opacity-50"
    >
      <span className="flex size-4 items-center justify-center rounded-sm border border-edge bg-panel group-data-[state=checked]:border-accent group-data-[state=checked]:bg-accent group-data-[state=indeterminate]:border-accent group-data-[state=indeterminate]:bg-accent">
        <Radix.Indicator className="text-on-accent">
          {checked === 'indeterminate' ? <Minus size={12} aria-hidden strokeWidth={3} /> : <Check size={12} aria-hidden strokeWidth={3} />}
        </Radix.Indicator>
      </span>
    </Radix.Root>
  )
}
