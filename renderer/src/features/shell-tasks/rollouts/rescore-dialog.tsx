import { useState } from 'react'
import type { RewardPolicy } from '#contracts/entities/rollout.ts'
import type { useRolloutActions } from '#renderer/api/rollouts.ts'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { NumberRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'

type Numbers = Exclude<keyof RewardPolicy, 'name'>

const ROWS: { name: Numbers; label: string; hint: string }[] = [
  { name: 'lengthMiddle', label: 'Length midpoint', hint: 'Turns at which the length factor is one half.' },
  {
    name: 'lengthWidth',
    label: 'Length width',
    hint: 'Above 0. A smaller width makes the factor fall more sharply around the midpoint.',
  },
  { name: 'lengthShare', label: 'Length share', hint: 'From 0 to 1. The share of the success term that length can take away.' },
  { name: 'exitPenalty', label: 'Exit penalty', hint: 'Multiplied by the share of turns with a non-zero exit code.' },
  { name: 'failPenalty', label: 'Fail penalty', hint: 'Per turn, if the task is not solved.' },
]

/** Computes the rewards again under another policy. */
export function RescoreDialog({
  policy,
  rescore,
  onClose,
}: {
  policy: RewardPolicy
  rescore: ReturnType<typeof useRolloutActions>['rescore']
  onClose: () => void
}) {
  const [name, setName] = useState(policy.name)
  const [values, setValues] = useState(
    () => Object.fromEntries(ROWS.map((row) => [row.name, String(policy[row.name])])) as Record<Numbers, string>,
  ) // every row has a value
  const invalidRow = ROWS.find((row) => values[row.name].trim() === '' || !Number.isFinite(Number(values[row.name])))
  return (
    <FormDialog
      title="Score again"
      description="Computes the reward of every episode again with this policy, without running anything."
      action="Score again"
      close="Close"
      reason={name.trim() === '' ? 'Enter a policy name.' : invalidRow ? `${invalidRow.label} must be a number.` : null}
      busy={rescore.isPending}
      onSubmit={() =>
        rescore.mutate(
          { name: name.trim(), ...Object.fromEntries(ROWS.map((row) => [row.name, Number(values[row.name])])) },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <TextRow label="Policy name" value={name} onChange={setName} />
      {ROWS.map((row) => (
        <NumberRow
          key={row.name}
          label={row.label}
          hint={row.hint}
          value={values[row.name]}
          placeholder=""
          onChange={(value) => setValues((now) => ({ ...now, [row.name]: value }))}
        />
      ))}
      {rescore.error ? <ErrorState title="Couldn't score the episodes" error={rescore.error} /> : null}
    </FormDialog>
  )
}
