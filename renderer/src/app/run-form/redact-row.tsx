import type { RedactionPlan } from '#contracts/entities/privacy.ts'
import { SwitchRow } from '#renderer/ui/form-rows.tsx'
import type { RunForm } from './form.ts'

/** `plan`: of the current form; undefined while there is none. */
export const RedactRow = ({
  form,
  plan,
  set,
}: {
  form: Pick<RunForm, 'redact'>
  plan: RedactionPlan | undefined
  set: (part: Pick<RunForm, 'redact'>) => void
}) => (
  <SwitchRow
    label="Redact secrets before they are sent"
    hint={
      plan?.isFixed === true
        ? 'Always on here: these requests leave this machine, and your privacy policy applies to them.'
        : 'The model sees placeholders instead of keys and passwords. Images and PDFs are not sent. On by default if requests leave this machine.'
    }
    checked={plan?.isFixed === true || (form.redact ?? plan?.isOn ?? true)}
    disabled={plan?.isFixed === true}
    onChange={(redact) => set({ redact })}
  />
)
