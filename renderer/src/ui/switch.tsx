import { Switch as Radix } from 'radix-ui'

/** On or off, applied at once. */
export function Switch({
  id,
  label,
  checked,
  onChange,
  disabled = false,
}: {
  id?: string
  label?: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}) {
  return (
    <Radix.Root
      id={id}
      aria-label={label}
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      className="relative h-6 w-10 shrink-0 rounded-full border border-edge bg-raised transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-60 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
    >
      <Radix.Thumb className="block size-4 translate-x-[3px] rounded-full bg-second transition-transform duration-100 data-[state=checked]:translate-x-[19px] data-[state=checked]:bg-on-accent" />
    </Radix.Root>
  )
}
