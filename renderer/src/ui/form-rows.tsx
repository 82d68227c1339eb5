import { useId, type ReactNode } from 'react'
import { Field, TextArea, TextInput } from './field.tsx'
import { Switch } from './switch.tsx'

interface RowProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
}

/** A number as it is typed; `placeholder` is the default that holds while nothing is. */
export function NumberRow({
  label,
  hint,
  error,
  value,
  placeholder,
  onChange,
}: RowProps & { value: string; placeholder: string; onChange: (value: string) => void }) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error ?? null}>
      <TextInput
        id={id}
        inputMode="decimal"
        aria-invalid={error !== undefined}
        className="w-28 text-right"
        value={value}
        placeholder={placeholder}
        onChange={onChange}
      />
    </Field>
  )
}

export function TextRow({
  label,
  hint,
  error,
  value,
  placeholder,
  mono = false,
  onChange,
}: RowProps & { value: string; placeholder?: string; mono?: boolean; onChange: (value: string) => void }) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error ?? null}>
      <TextInput
        id={id}
        aria-invalid={error !== undefined}
        className={mono ? 'w-96 max-w-full font-mono' : 'w-96 max-w-full'}
        value={value}
        placeholder={placeholder}
        onChange={onChange}
      />
    </Field>
  )
}

/** One entry a line. */
export function LinesRow({
  label,
  hint,
  error,
  value,
  placeholder,
  onChange,
}: RowProps & { value: string; placeholder?: string; onChange: (value: string) => void }) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error ?? null}>
      <TextArea
        id={id}
        aria-invalid={error !== undefined}
        rows={3}
        className="w-96 max-w-full font-mono"
        value={value}
        placeholder={placeholder}
        onChange={onChange}
      />
    </Field>
  )
}

export function SwitchRow({
  label,
  hint,
  error,
  checked,
  onChange,
}: RowProps & { checked: boolean; onChange: (checked: boolean) => void }) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error ?? null}>
      <Switch id={id} checked={checked} onChange={onChange} />
    </Field>
  )
}

/** One of a few. */
export function ChoiceRow({ label, hint, error, children }: RowProps & { children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error ?? null}>
      {children(id)}
    </Field>
  )
}
