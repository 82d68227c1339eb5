import { useId, type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes } from 'react'
import { cn } from './cn.ts'

const box =
  'rounded border border-edge bg-panel text-sm text-text placeholder:text-second aria-[invalid=true]:border-bad disabled:opacity-60'

export interface TextInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  value: string
  onChange: (value: string) => void
  ref?: Ref<HTMLInputElement>
}
export const TextInput = ({ className, onChange, type = 'text', ...rest }: TextInputProps) => (
  <input type={type} className={cn(box, 'h-8 px-2', className)} onChange={(event) => onChange(event.target.value)} {...rest} />
)

export interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value'> {
  value: string
  onChange: (value: string) => void
  ref?: Ref<HTMLTextAreaElement>
}
export const TextArea = ({ className, onChange, ...rest }: TextAreaProps) => (
  <textarea
    className={cn(box, rest.rows === undefined && 'min-h-20', 'px-2 py-1 leading-snug', className)}
    onChange={(event) => onChange(event.target.value)}
    {...rest}
  />
)

/** A text field with its label above. */
export function TextField({ label, error, ...input }: Omit<TextInputProps, 'id'> & { label: string; error?: string | undefined }) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1 text-sm">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <TextInput {...input} id={id} aria-invalid={error !== undefined} aria-describedby={error === undefined ? undefined : `${id}-error`} />
      {error === undefined ? null : (
        <p id={`${id}-error`} className="text-xs text-bad">
          {error}
        </p>
      )}
    </div>
  )
}

/** A row of a form: label, hint and error left, control right. `id` is that of the control. */
export function Field({
  id,
  label,
  hint,
  error,
  children,
}: {
  id: string
  label: string
  hint?: ReactNode
  error?: string | null
  children: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-b border-line py-3 last:border-b-0">
      <div className="min-w-60 flex-1">
        <label htmlFor={id} className="text-sm font-semibold">
          {label}
        </label>
        {hint ? <p className="max-w-[60ch] text-xs text-second">{hint}</p> : null}
        <FieldError error={error} />
      </div>
      <div className="flex max-w-full items-center gap-2">{children}</div>
    </div>
  )
}

export const FieldError = ({ error }: { error: string | null | undefined }) =>
  error ? (
    <p role="alert" className="text-xs text-bad">
      {error}
    </p>
  ) : null
