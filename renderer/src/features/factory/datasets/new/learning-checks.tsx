import { useId } from 'react'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { MISTAKES } from '../../example-options.ts'
import type { FormPart } from './recipe.ts'

const SECRETS = {
  option: 'dropSecretCalls',
  label: 'No secrets in calls',
  hint: 'Leaves out rows whose calls contain a secret: a model would learn to write placeholders as arguments.',
} as const

/** Checkboxes for what a model should not learn; checked by default. */
export function LearningChecks({ draft, set }: FormPart) {
  const id = useId()
  const checks = draft.kind === 'prompts' || draft.kind === 'rlvr' ? [SECRETS] : [...MISTAKES, SECRETS]
  return (
    <ul aria-label="What is kept out" className="flex flex-col gap-2">
      {checks.map(({ option, label, hint }) => (
        <li key={option} className="flex items-start gap-1.5 text-sm">
          <Checkbox id={`${id}-${option}`} checked={draft[option]} onChange={(on) => set({ [option]: on })} />
          <span className="pt-0.5">
            <label htmlFor={`${id}-${option}`}>{label}</label>
            <span className="block text-xs text-second">{hint}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
