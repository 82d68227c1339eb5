import { useId } from 'react'
import { SYNTHETIC_PRESETS, type AugmentPlan } from '#contracts/entities/augment.ts'
import { Field, TextInput } from '#renderer/ui/field.tsx'
import { SelectRow } from '#renderer/ui/form-rows.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Select } from '#renderer/ui/select.tsx'

const VARIANTS = ['1', '2', '3', '5', '10'] as const
const MAX_TASKS = 10_000
type Preset = keyof typeof SYNTHETIC_PRESETS
const PRESETS = Object.keys(SYNTHETIC_PRESETS) as Preset[] // of a literal
const PRESET_WORDS: Record<Preset, string> = { quick_test: 'Quick test', balanced: 'Balanced', production: 'Production' }

/** The form's values, as typed. */
export interface Amount {
  make: AugmentPlan['make']
  variants: (typeof VARIANTS)[number]
  preset: Preset | 'own'
  /** Used with the preset `own`. */
  count: string
}
export const DEFAULT_AMOUNT: Amount = { make: 'variants', variants: '2', preset: 'quick_test', count: '50' }

/** The part of a plan about what to make, or the error in the form. */
export function amountOf({ make, variants, preset, count }: Amount): Pick<AugmentPlan, 'make' | 'variants' | 'count'> | string {
  if (make === 'variants') return { make, variants: Number(variants) }
  const tasks = preset === 'own' ? Number(count) : SYNTHETIC_PRESETS[preset]
  return Number.isInteger(tasks) && tasks >= 1 && tasks <= MAX_TASKS
    ? { make, variants: 1, count: tasks }
    : `Enter a whole number from 1 to ${formatCount(MAX_TASKS)}.`
}

/** Fields for the kind and number of generated examples. */
export function AmountFields({
  amount,
  accepted,
  onChange,
}: {
  amount: Amount
  accepted: number | undefined
  onChange: (amount: Amount) => void
}) {
  const id = useId()
  const parsed = amountOf(amount)
  const acceptedLink = <TextLink href="/factory/examples?state=accepted">{formatCount(accepted)} accepted</TextLink>
  return (
    <>
      <SelectRow
        label="Generate"
        hint={
          amount.make === 'variants'
            ? 'Rewords the prompts of accepted examples. Each variant keeps the recorded solution, so you can train on it directly.'
            : 'New requests that fit the same projects. They have no solution, so they are used in prompt data sets only, and nothing checks that they can be solved.'
        }
        value={amount.make}
        options={[
          { value: 'variants', label: 'Variants' },
          { value: 'tasks', label: 'New tasks' },
        ]}
        onChange={(make) => onChange({ ...amount, make })}
      />
      {amount.make === 'variants' ? (
        <SelectRow
          label="Variants per example"
          hint={<>{acceptedLink}. Variants are never made from other variants.</>}
          value={amount.variants}
          options={VARIANTS.map((count) => ({ value: count, label: count }))}
          onChange={(variants) => onChange({ ...amount, variants })}
        />
      ) : (
        <Field
          id={`${id}-tasks`}
          label="Number of tasks"
          hint={<>Spread evenly over {acceptedLink}.</>}
          error={typeof parsed === 'string' ? parsed : null}
        >
          <Select
            id={`${id}-tasks`}
            value={amount.preset}
            options={[
              ...PRESETS.map((value) => ({ value, label: `${PRESET_WORDS[value]}, ${formatCount(SYNTHETIC_PRESETS[value])}` })),
              { value: 'own' as const, label: 'Custom' },
            ]}
            onChange={(preset) => onChange({ ...amount, preset })}
          />
          {amount.preset === 'own' ? (
            <TextInput
              aria-label="Custom number of tasks"
              inputMode="numeric"
              value={amount.count}
              onChange={(count) => onChange({ ...amount, count })}
              aria-invalid={typeof parsed === 'string'}
              className="w-24 text-right font-mono"
            />
          ) : null}
        </Field>
      )}
    </>
  )
}
