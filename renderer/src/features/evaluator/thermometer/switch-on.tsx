import { useId, useState } from 'react'
import type { ThermometerRequest } from '#contracts/entities/thermometer.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useExams } from '#renderer/api/exams.ts'
import { type ThermometerDraft, thermometerKeys, useThermometerActions } from '#renderer/api/thermometer.ts'
import { usePlan } from '#renderer/app/use-plan.ts'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { NumberRow, SelectRow } from '#renderer/ui/form-rows.tsx'
import { plural } from '#renderer/ui/format.ts'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { ErrorState } from '#renderer/ui/states.tsx'
import { EMPTY_MODEL, formOf, missingModel, ModelFields, modelIn } from '../model-fields.tsx'
import { RunPlan } from '../run-plan.tsx'

const EVERY = [
  { value: 'week', label: 'Every week' },
  { value: 'month', label: 'Every month' },
  { value: 'never', label: 'At no date' },
] as const

/** When and what is asked of whom, with its cost. Sending the form is the consent. */
export function SwitchOn({ before, isOn, onClose }: { before: ThermometerRequest | null; isOn: boolean; onClose: () => void }) {
  const [exam, setExam] = useState(before?.exam ?? null)
  const [model, setModel] = useState(before === null ? EMPTY_MODEL : formOf(before.model))
  const [newestModel, setNewest] = useState(before?.newestModel ?? true)
  const [every, setEvery] = useState<ThermometerRequest['every']>(before?.every ?? 'week')
  const [afterClient, setAfterClient] = useState(before?.afterClient ?? true)
  const [afterModel, setAfterModel] = useState(before?.afterModel ?? true)
  const [maxCost, setMaxCost] = useState(before?.maxCostUsd === undefined ? '' : String(before.maxCostUsd))
  const offline = useOfflineReason()
  const { rows: exams } = useRows(useExams())
  const { on } = useThermometerActions()
  const examId = exam ?? exams[0]?.id
  const asked = modelIn(model)
  const cost = maxCost.trim() === '' ? null : Number(maxCost)
  const isCost = cost === null || cost > 0
  const request: ThermometerDraft | null =
    examId === undefined || asked === null || !isCost
      ? null
      : {
          exam: examId,
          model: asked,
          newestModel: newestModel && asked.kind === 'provider',
          every,
          afterClient,
          afterModel,
          ...(cost !== null && { maxCostUsd: cost }),
        }
  const planned = usePlan(request, PLAN)
  const { plan } = planned
  const refused = plan?.refusals[0]?.message ?? null
  const reason =
    offline ??
    (examId === undefined
      ? 'Make an exam first.'
      : !isCost
        ? 'Enter a cost limit above 0.'
        : asked === null
          ? missingModel(model)
          : refused)
  return (
    <FormDialog
      wide
      title={isOn ? 'Change the thermometer' : 'Switch the thermometer on'}
      description="The first reading is taken at once, further ones by themselves until you switch it off. What leaves this machine passes the privacy gate."
      action={isOn ? 'Change' : 'Switch on'}
      reason={reason}
      busy={on.isPending}
      onSubmit={() => request && on.mutate(request, { onSuccess: onClose })}
      onClose={onClose}
    >
      <SelectRow
        label="Exam"
        className="w-96 max-w-full"
        value={examId ?? NONE}
        options={exams.length === 0 ? [{ value: NONE, label: 'No exam yet' }] : exams.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={setExam}
      />
      <ModelFields label="Who is asked" value={model} onChange={setModel} />
      {model.place === 'provider' ? (
        <Box checked={newestModel} onChange={setNewest}>
          Ask the model that my newest session used
        </Box>
      ) : null}
      <SelectRow label="When" value={every} options={EVERY} onChange={setEvery} />
      <Box checked={afterClient} onChange={setAfterClient}>
        Also after a new version of Claude Code appears in my sessions
      </Box>
      <Box checked={afterModel} onChange={setAfterModel}>
        Also after a new model appears in my sessions
      </Box>
      <NumberRow
        label="Cost limit"
        hint="US dollars, for one reading. Needed for a model outside this machine."
        placeholder=""
        value={maxCost}
        onChange={setMaxCost}
      />
      {planned.error ? <ErrorState title="Couldn't plan the readings" error={planned.error} retry={() => void planned.refetch()} /> : null}
      {plan ? (
        <RunPlan
          plan={plan}
          sides={[plan.model]}
          cost={(most) =>
            `Each reading costs at most ${most}; by date there are at most ${plural(plan.mostPerMonth, 'reading')} a month. New versions add at most one a day.`
          }
        />
      ) : null}
      {on.error ? <ErrorState title="Couldn't switch the thermometer on" error={on.error} /> : null}
    </FormDialog>
  )
}

/** A choice that is not made; a select has no empty value. */
const NONE = 'none'

const PLAN = {
  key: thermometerKeys.plan,
  ask: (body: ThermometerDraft, signal: AbortSignal) => api.planThermometer({ body, signal }),
}

function Box({ checked, onChange, children }: { checked: boolean; onChange: (checked: boolean) => void; children: string }) {
  const id = useId()
  return (
    <span className="flex items-center gap-2 py-1 text-sm">
      <Checkbox id={id} checked={checked} onChange={onChange} />
      <label htmlFor={id}>{children}</label>
    </span>
  )
}
