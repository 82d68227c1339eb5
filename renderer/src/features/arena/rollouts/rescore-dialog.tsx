import { useState } from 'react'
import type { RewardPolicy } from '#contracts/entities/rollout.ts'
import type { useRolloutActs } from '#renderer/api/rollouts.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { NumberRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'

type Numbers = Exclude<keyof RewardPolicy, 'name'>

const ROWS: { name: Numbers; label: string; hint: string }[] = [
  { name: 'lengthMiddle', label: 'Middle of the length', hint: 'Messages at which the length factor is one half.' },
  { name: 'lengthWidth', label: 'Width of the length', hint: 'Above 0. The smaller, the sharper it falls around the middle.' },
  { name: 'lengthShare', label: 'Share of the length', hint: 'From 0 to 1: of the success term that length may take away.' },
  { name: 'exitPenalty', label: 'Exit penalty', hint: 'Times the share of messages with a non-zero exit code.' },
  { name: 'failPenalty', label: 'Fail penalty', hint: 'For each message, where the task is not solved.' },
]

/** Another policy for the episodes that are there. */
export function RescoreDialog({
  policy,
  open,
  onOpenChange,
  rescore,
}: {
  policy: RewardPolicy
  open: boolean
  onOpenChange: (open: boolean) => void
  rescore: ReturnType<typeof useRolloutActs>['rescore']
}) {
  const [name, setName] = useState(policy.name)
  const [values, setValues] = useState(
    () => Object.fromEntries(ROWS.map((row) => [row.name, String(policy[row.name])])) as Record<Numbers, string>,
  ) // one of each row
  const wrong = ROWS.find((row) => values[row.name].trim() === '' || !Number.isFinite(Number(values[row.name])))
  const reason = name.trim() === '' ? 'Give the policy a name.' : wrong ? `${wrong.label} must be a number.` : null
  const go = () =>
    rescore.mutate(
      { name: name.trim(), ...Object.fromEntries(ROWS.map((row) => [row.name, Number(values[row.name])])) },
      { onSuccess: () => onOpenChange(false) },
    )
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Score again"
      description="Every episode gets its reward anew under this policy. Nothing is run again."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Close</Button>
          <Button look="primary" reason={reason} busy={rescore.isPending} onClick={go}>
            Score again
          </Button>
        </>
      }
    >
      <TextRow label="Name of the policy" value={name} onChange={setName} />
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
    </Dialog>
  )
}
