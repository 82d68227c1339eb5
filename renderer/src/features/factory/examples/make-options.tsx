import { useId, useState } from 'react'
import type { ExampleOptions } from '#contracts/entities/example.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import { Select } from '#renderer/ui/select.tsx'
import { Switch } from '#renderer/ui/switch.tsx'
import type { ChangeSearch } from '#renderer/ui/use-search.ts'
import { MISTAKES } from '../mistakes.ts'
import { DEFAULTS, optionsSentence, writeOptions } from './choice.ts'

const SYSTEM = [
  { value: 'short', label: 'Short' },
  { value: 'recorded', label: 'As recorded' },
  { value: 'own', label: 'Custom' },
  { value: 'none', label: 'None' },
] as const

/** How sessions become examples; folded, because the defaults are good. */
export function MakeOptions({ options, onChange }: { options: ExampleOptions; onChange: ChangeSearch }) {
  const id = useId()
  const set = (part: Partial<ExampleOptions>) => onChange({ options: writeOptions({ ...options, ...part }) }, { replace: true })
  return (
    <details className="rounded border border-line px-4 py-2">
      <summary className="min-h-6 text-sm">
        <span className="font-semibold">Options</span> <span className="text-second">{optionsSentence(options)}</span>
      </summary>
      <Field
        id={`${id}-system`}
        label="System prompt"
        hint="First message of each example. As recorded: what the client sent, if it was recorded."
      >
        <Select
          id={`${id}-system`}
          value={options.systemPrompt.kind}
          options={SYSTEM}
          onChange={(kind) => set({ systemPrompt: kind === 'own' ? { kind, text: '' } : { kind } })}
        />
      </Field>
      {options.systemPrompt.kind === 'own' ? (
        <TextArea
          aria-label="Custom system prompt"
          value={options.systemPrompt.text}
          onChange={(text) => set({ systemPrompt: { kind: 'own', text } })}
          rows={4}
          className="my-2 w-full"
        />
      ) : null}
      <Field id={`${id}-thinking`} label="Thinking" hint="Keeps the model's thinking in <think> tags before the call it led to.">
        <Switch id={`${id}-thinking`} checked={options.thinking} onChange={(thinking) => set({ thinking })} />
      </Field>
      <Figure
        label="Max output length"
        unit="characters"
        hint="Characters. Longer tool results are shortened in the middle, and the cut is marked."
        value={options.outputChars}
        defaultValue={DEFAULTS.outputChars}
        least={200}
        most={1_000_000}
        onChange={(outputChars) => set({ outputChars })}
      />
      <Figure
        label="Max turns"
        unit="turns"
        hint="Longer tasks are split into several examples; nothing is cut off."
        value={options.maxTurns}
        defaultValue={DEFAULTS.maxTurns}
        least={1}
        most={500}
        onChange={(maxTurns) => set({ maxTurns })}
      />
      <Figure
        label="Idle time that ends a task"
        unit="minutes"
        hint="A new task begins after this long without a step."
        value={options.gapMinutes}
        defaultValue={DEFAULTS.gapMinutes}
        least={1}
        most={1440}
        onChange={(gapMinutes) => set({ gapMinutes })}
      />
      <Figure
        label="Minimum step success rate"
        unit="of 1"
        hint="Tasks below this are excluded. Steps with an unknown outcome are ignored."
        value={options.minSuccessShare}
        defaultValue={DEFAULTS.minSuccessShare}
        least={0}
        most={1}
        step={0.05}
        onChange={(minSuccessShare) => set({ minSuccessShare })}
      />
      {MISTAKES.map(({ option, label, hint }) => (
        <Field key={option} id={`${id}-${option}`} label={label} hint={hint}>
          <Switch id={`${id}-${option}`} checked={options[option]} onChange={(on) => set({ [option]: on })} />
        </Field>
      ))}
      <Field
        id={`${id}-carry`}
        label="Carry prompt over"
        hint="Tasks without their own prompt reuse the previous one. When off, they are excluded."
      >
        <Switch id={`${id}-carry`} checked={options.carryPrompt} onChange={(carryPrompt) => set({ carryPrompt })} />
      </Field>
    </details>
  )
}

interface FigureProps {
  label: string
  unit: string
  hint: string
  value: number
  defaultValue: number
  least: number
  most: number
  step?: number
  onChange: (value: number) => void
}

function Figure(props: FigureProps) {
  // typed text is the field's own until it is left; a value from elsewhere begins anew
  return <Typed key={props.value} {...props} />
}

function Typed({ label, unit, hint, value, defaultValue, least, most, step = 1, onChange }: FigureProps) {
  const id = useId()
  const [text, setText] = useState(String(value))
  const next = Number(text)
  const isRight = text.trim() !== '' && next >= least && next <= most && (step < 1 || Number.isInteger(next))
  const take = () => isRight && next !== value && onChange(next)
  return (
    <Field
      id={id}
      label={label}
      hint={hint}
      error={isRight ? null : `Enter a ${step < 1 ? 'number' : 'whole number'} from ${formatLimit(least)} to ${formatLimit(most)}.`}
    >
      <TextInput
        id={id}
        inputMode="decimal"
        value={text}
        onChange={setText}
        onBlur={take}
        onKeyDown={(event) => event.key === 'Enter' && take()}
        aria-invalid={!isRight}
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
