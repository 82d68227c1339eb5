import { useId, type ReactNode } from 'react'
import { cn } from './cn.ts'
import { Field, TextArea, TextInput } from './field.tsx'
import { type Option, Select } from './select.tsx'
import { Switch } from './switch.tsx'

interface RowProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
}

interface TypedProps extends RowProps {
  value: string
  onChange: (value: string) => void
}

/** A row with any control; `children` gets the id that the label points at. */
export function ChoiceRow({ label, hint, error, children }: RowProps & { children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error ?? null}>
      {children(id)}
    </Field>
  )
}

/** A number as it is typed; `placeholder` is the default of an empty field. */
export const NumberRow = ({ value, placeholder, onChange, ...row }: TypedProps & { placeholder: string }) => (
  <ChoiceRow {...row}>
    {(id) => (
      <TextInput
        id={id}
        inputMode="decimal"
        aria-invalid={row.error !== undefined}
        className="w-28 text-right"
        value={value}
        placeholder={placeholder}
        onChange={onChange}
      />
    )}
  </ChoiceRow>
)

export const TextRow = ({ value, placeholder, mono = false, onChange, ...row }: TypedProps & { placeholder?: string; mono?: boolean }) => (
  <ChoiceRow {...row}>
    {(id) => (
      <TextInput
        id={id}
        aria-invalid={row.error !== undefined}
        className={mono ? 'w-96 max-w-full font-mono' : 'w-96 max-w-full'}
        value={value}
        placeholder={placeholder}
        onChange={onChange}
      />
    )}
  </ChoiceRow>
)

/** One entry per line. `isWhole`: wide, and as tall as its text up to a limit. */
export const LinesRow = ({
  value,
  placeholder,
  isWhole = false,
  onChange,
  ...row
}: TypedProps & { placeholder?: string; isWhole?: boolean }) => (
  <ChoiceRow {...row}>
    {(id) => (
      <TextArea
        id={id}
        aria-invalid={row.error !== undefined}
        rows={isWhole ? Math.min(Math.max(rowsOf(value), 3), 14) : 3}
        className={cn('max-w-full font-mono', isWhole ? 'w-3xl' : 'w-96')}
        value={value}
        placeholder={placeholder}
        onChange={onChange}
      />
    )}
  </ChoiceRow>
)

const COLUMNS = 80
const rowsOf = (text: string) => text.split('\n').reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / COLUMNS)), 0)

export const SwitchRow = ({
  checked,
  disabled = false,
  onChange,
  ...row
}: RowProps & { checked: boolean; disabled?: boolean; onChange: (checked: boolean) => void }) => (
  <ChoiceRow {...row}>{(id) => <Switch id={id} checked={checked} disabled={disabled} onChange={onChange} />}</ChoiceRow>
)

/** One of a few values. */
export const SelectRow = <Value extends string>({
  value,
  options,
  onChange,
  disabled = false,
  className,
  ...row
}: RowProps & {
  value: Value
  options: readonly Option<Value>[]
  onChange: (value: Value) => void
  disabled?: boolean
  className?: string
}) => (
  <ChoiceRow {...row}>
    {(id) => <Select id={id} value={value} options={options} onChange={onChange} disabled={disabled} className={className} />}
  </ChoiceRow>
)
