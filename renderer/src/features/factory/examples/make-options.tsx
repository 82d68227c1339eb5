import { useId, useState } from 'react'
import type { ExampleOptions } from '#contracts/entities/example.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { SelectRow, SwitchRow } from '#renderer/ui/form-rows.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import type { ChangeSearch } from '#renderer/ui/use-search.ts'
import { EXAMPLE_NUMBERS, EXAMPLE_SWITCHES, MISTAKES, SYSTEM_PROMPTS } from '../example-options.ts'
import { DEFAULTS, optionsSentence, writeOptions } from './choice.ts'

/** How sessions become examples; collapsed, because the defaults are good. */
export function MakeOptions({ options, onChange }: { options: ExampleOptions; onChange: ChangeSearch }) {
  const set = (part: Partial<ExampleOptions>) => onChange({ options: writeOptions({ ...options, ...part }) }, { replace: true })
  return (
    <details className="rounded border border-line px-4 py-2">
      <summary className="min-h-6 text-sm">
        <span className="font-semibold">Options</span> <span className="text-second">{optionsSentence(options)}</span>
      </summary>
      <SelectRow
        label="System prompt"
        hint="First message of each example. As recorded: what the client sent, if it was recorded."
        value={options.systemPrompt.kind}
        options={SYSTEM_PROMPTS}
        onChange={(kind) => set({ systemPrompt: kind === 'own' ? { kind, text: '' } : { kind } })}
      />
      {options.systemPrompt.kind === 'own' ? (
        <TextArea
          aria-label="Custom system prompt"
          value={options.systemPrompt.text}
          onChange={(text) => set({ systemPrompt: { kind: 'own', text } })}
          rows={4}
          className="my-2 w-full"
        />
      ) : null}
      {[...EXAMPLE_SWITCHES, ...MISTAKES].map(({ option, label, hint }) => (
        <SwitchRow key={option} label={label} hint={hint} checked={options[option]} onChange={(on) => set({ [option]: on })} />
      ))}
      {EXAMPLE_NUMBERS.map(({ option, ...words }) => (
        // typed text stays in the field until it loses focus; a new value from outside resets it
        <NumberField
          key={`${option} ${options[option]}`}
          {...words}
          value={options[option]}
          defaultValue={DEFAULTS[option]}
          onChange={(value) => set({ [option]: value })}
        />
      ))}
    </details>
  )
}

interface NumberFieldProps {
  label: string
  unit: string
  hint: string
  value: number
  defaultValue: number
  min: number
  max: number
  isShare: boolean
  onChange: (value: number) => void
}

function NumberField({ label, unit, hint, value, defaultValue, min, max, isShare, onChange }: NumberFieldProps) {
  const id = useId()
  const [text, setText] = useState(String(value))
  const next = Number(text)
  const isValid = text.trim() !== '' && next >= min && next <= max && (isShare || Number.isInteger(next))
  const commit = () => isValid && next !== value && onChange(next)
  return (
    <Field
      id={id}
      label={label}
      hint={hint}
      error={isValid ? null : `Enter a ${isShare ? 'number' : 'whole number'} from ${formatLimit(min)} to ${formatLimit(max)}.`}
    >
      <TextInput
        id={id}
        inputMode="decimal"
        value={text}
        onChange={setText}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
        aria-invalid={!isValid}
        className="w-28 text-right font-mono"
      />
      <span className="w-20 text-xs text-second">{unit}</span>
      {value === defaultValue ? null : (
        <Button size="small" look="quiet" onClick={() => onChange(defaultValue)}>
          Back to {formatLimit(defaultValue)}
        </Button>
      )}
    </Field>
  )
}

const formatLimit = (value: number) => (Number.isInteger(value) ? formatCount(value) : String(value))
