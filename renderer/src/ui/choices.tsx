import { cn } from './cn.ts'

/** One of a few options; the meaning of the chosen one is shown below. */
export function Choices<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value
  options: readonly { value: Value; label: string; meaning: string }[]
  onChange: (value: Value) => void
}) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="pb-1 text-sm font-semibold">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map((option) => (
          <label
            key={option.value}
            title={option.meaning}
            className={cn(
              'flex h-8 cursor-pointer items-center rounded border px-3 text-sm has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
              option.value === value ? 'border-accent bg-accent/12 font-semibold text-text' : 'border-edge bg-panel hover:bg-raised',
            )}
          >
            <input
              type="radio"
              name={label}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="absolute size-px opacity-0"
            />
            {option.label}
          </label>
        ))}
      </div>
      <p className="text-xs text-second">{options.find((option) => option.value === value)?.meaning}</p>
    </fieldset>
  )
}
