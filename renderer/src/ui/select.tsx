import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import { cn } from './cn.ts'

export interface Option<Value extends string> {
  value: Value
  label: string
}

/** Radix takes an empty value for no choice: it shows no label, and throws at such an option. */
const NONE = '\0'
const withNone = (value: string): string => (value === '' ? NONE : value)

/** `label` is the accessible name if no visible label points at `id`. */
export function Select<Value extends string>({
  id,
  label,
  value,
  options,
  onChange,
  disabled = false,
  className,
}: {
  id?: string
  label?: string
  value: Value
  options: readonly Option<Value>[]
  onChange: (value: Value) => void
  disabled?: boolean
  className?: string | undefined
}) {
  return (
    <Radix.Root value={withNone(value)} onValueChange={(next) => onChange((next === NONE ? '' : next) as Value)} disabled={disabled}>
      <Radix.Trigger
        id={id}
        aria-label={label}
        className={cn(
          'inline-flex h-8 min-w-36 items-center justify-between gap-2 rounded border border-edge bg-panel px-2 text-sm hover:bg-raised disabled:cursor-not-allowed disabled:opacity-60',
          className,
        )}
      >
        <Radix.Value />
        <Radix.Icon>
          <ChevronDown size={16} aria-hidden className="text-second" />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="float-in z-50 max-h-[60vh] min-w-(--radix-select-trigger-width) overflow-hidden rounded border border-line bg-panel p-1 shadow-float"
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={withNone(option.value)}
                className="flex h-8 cursor-pointer items-center gap-2 rounded-sm px-2 text-sm outline-none select-none data-[highlighted]:bg-raised data-[highlighted]:outline-2 data-[highlighted]:-outline-offset-2 data-[highlighted]:outline-accent"
              >
                <span className="w-4">
                  <Radix.ItemIndicator>
                    <Check size={14} aria-hidden className="text-accent" />
                  </Radix.ItemIndicator>
                </span>
                <Radix.ItemText>{option.label}</Radix.ItemText>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const ANY = '*'

/** A filter: one of its values, or null for `any`, the label of the first option. */
export function FilterSelect<Value extends string>({
  label,
  any,
  value,
  options,
  onChange,
}: {
  label: string
  any: string
  value: Value | null
  options: readonly Option<Value>[]
  onChange: (value: Value | null) => void
}) {
  return (
    <Select<Value | typeof ANY>
      label={label}
      value={value ?? ANY}
      options={[{ value: ANY, label: any }, ...options]}
      onChange={(next) => onChange(next === ANY ? null : next)}
    />
  )
}
