import { cn } from './cn.ts'

/** One of a few views of the same thing. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value
  options: readonly { id: Value; label: string }[]
  onChange: (value: Value) => void
}) {
  return (
    <div role="group" aria-label={label} className="flex w-fit shrink-0 rounded border border-edge bg-panel">
      {options.map((option, index) => (
        <button
          key={option.id}
          type="button"
          aria-pressed={option.id === value}
          onClick={() => onChange(option.id)}
          className={cn(
            'focus-inset h-[30px] px-3 text-sm first:rounded-l last:rounded-r',
            index > 0 && 'border-l border-line',
            option.id === value ? 'bg-raised font-semibold text-text' : 'text-second hover:text-text',
          )}
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
