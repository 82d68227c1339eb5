import { useId } from 'react'
import { SYNTHETIC_PRESETS, type AugmentPlan } from '#contracts/entities/augment.ts'
import { Field, TextInput } from '#renderer/ui/field.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Select } from '#renderer/ui/select.tsx'

const VARIANTS = ['1', '2', '3', '5', '10'] as const
const MOST_TASKS = 10_000
type Preset = keyof typeof SYNTHETIC_PRESETS
const PRESETS = Object.keys(SYNTHETIC_PRESETS) as Preset[] // of a literal
const PRESET_WORDS: Record<Preset, string> = { quick_test: 'Quick test', balanced: 'Balanced', production: 'Production' }

/** What is to be made, as it was typed. */
export interface Amount {
  make: AugmentPlan['make']
  variants: (typeof VARIANTS)[number]
  preset: Preset | 'own'
  /** Where no preset is chosen. */
  count: string
}
export const FIRST_AMOUNT: Amount = { make: 'variants', variants: '2', preset: 'quick_test', count: '50' }

/** The part of a plan that says what to make, or why what was typed is none. */
export function amountOf({ make, variants, preset, count }: Amount): Pick<AugmentPlan, 'make' | 'variants' | 'count'> | string {
  if (make === 'variants') return { make, variants: Number(variants) }
  const tasks = preset === 'own' ? Number(count) : SYNTHETIC_PRESETS[preset]
  return Number.isInteger(tasks) && tasks >= 1 && tasks <= MOST_TASKS
    ? { make, variants: 1, count: tasks }
    : `Tasks are counted from 1 to ${formatCount(MOST_TASKS)}.`
}

/** Other wordings of what there is, or new tasks like it, and how many. */
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
  const fit = amountOf(amount)
  const acceptedLink = <TextLink href="/factory/examples?state=accepted">{formatCount(accepted)} accepted</TextLink>
  return (
    <>
      <Field
        id={`${id}-make`}
        label="What to make"
        hint={
          amount.make === 'variants'
            ? 'The prompts of accepted examples in other words. Each keeps the recorded solution, so it can be trained on as it is.'
            : 'Requests that could have been made in the same projects. They have no solution: they go into data sets of prompts, never into examples to imitate, and nothing here tries whether they can be solved.'
        }
      >
        <Select
          id={`${id}-make`}
          value={amount.make}
          options={[
            { value: 'variants', label: 'Variants' },
            { value: 'tasks', label: 'New tasks' },
          ]}
          onChange={(make) => onChange({ ...amount, make })}
        />
      </Field>
      {amount.make === 'variants' ? (
        <Field id={`${id}-variants`} label="Variants of each example" hint={<>{acceptedLink} now; variants of variants are not made.</>}>
          <Select
            id={`${id}-variants`}
            value={amount.variants}
            options={VARIANTS.map((count) => ({ value: count, label: count }))}
            onChange={(variants) => onChange({ ...amount, variants })}
          />
        </Field>
      ) : (
        <Field
          id={`${id}-tasks`}
          label="Tasks in all"
          hint={<>Spread evenly over {acceptedLink} now.</>}
          error={typeof fit === 'string' ? fit : null}
        >
          <Select
            id={`${id}-tasks`}
            value={amount.preset}
            options={[
              ...PRESETS.map((value) => ({ value, label: `${PRESET_WORDS[value]}, ${formatCount(SYNTHETIC_PRESETS[value])}` })),
              { value: 'own' as const, label: 'Own number' },
            ]}
            onChange={(preset) => onChange({ ...amount, preset })}
          />
          {amount.preset === 'own' ? (
            <TextInput
              aria-label="Number of tasks"
              inputMode="numeric"
              value={amount.count}
              onChange={(count) => onChange({ ...amount, count })}
              aria-invalid={typeof fit === 'string'}
              className="w-24 text-right font-mono"
            />
          ) : null}
        </Field>
      )}
    </>
  )
}
