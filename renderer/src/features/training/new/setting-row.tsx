import { RotateCcw } from 'lucide-react'
import { useId } from 'react'
import { IconButton } from '#renderer/ui/button.tsx'
import { Field, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Switch } from '#renderer/ui/switch.tsx'
import type { SettingField } from './setting-field.ts'

/** One setting: its meaning, its default as placeholder, and a reset button. */
export function SettingRow({
  field,
  value,
  defaultValue,
  error,
  onChange,
}: {
  field: SettingField
  /** Undefined: the default applies. */
  value: string | undefined
  /** The default; '' while it is not known. */
  defaultValue: string
  error: string | undefined
  /** An empty text resets the setting. */
  onChange: (value: string) => void
}) {
  const id = useId()
  const isChanged = value !== undefined && value !== ''
  const defaultLabel =
    field.options?.find((option) => option.value === defaultValue)?.label ??
    (field.kind === 'switch' ? (defaultValue === 'true' ? 'on' : 'off') : defaultValue)
  return (
    <Field
      id={id}
      label={field.label}
      hint={
        <>
          {field.meaning}
          {isChanged && defaultValue !== '' ? ` Default: ${defaultLabel}.` : ''}
        </>
      }
      error={error ?? null}
    >
      {isChanged ? (
        <IconButton size="small" icon={RotateCcw} label={`Reset ${field.label} to default`} onClick={() => onChange('')} />
      ) : null}
      {field.kind === 'choice' ? (
        <Select id={id} className="w-44" value={isChanged ? value : defaultValue} options={field.options ?? []} onChange={onChange} />
      ) : field.kind === 'switch' ? (
        <Switch id={id} checked={(isChanged ? value : defaultValue) === 'true'} onChange={(on) => onChange(String(on))} />
      ) : field.kind === 'text' ? (
        <div className="flex max-w-full flex-col gap-2">
          <input
            type="file"
            aria-label={`${field.label} from a file`}
            accept=".jinja,.jinja2,.txt"
            className="text-sm"
            onChange={(event) => void event.target.files?.[0]?.text().then(onChange)}
          />
          <TextArea
            id={id}
            rows={6}
            aria-invalid={error !== undefined}
            className="w-96 max-w-full font-mono text-xs!"
            value={value ?? ''}
            placeholder={defaultValue}
            onChange={onChange}
          />
        </div>
      ) : (
        <TextInput
          id={id}
          inputMode={field.kind === 'list' ? 'text' : 'decimal'}
          aria-invalid={error !== undefined}
          className="w-28 text-right font-mono"
          value={value ?? ''}
          placeholder={defaultValue}
          onChange={onChange}
        />
      )}
    </Field>
  )
}
