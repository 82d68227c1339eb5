import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Exam } from '#contracts/entities/exam.ts'
import type { TaskAgent } from '#contracts/entities/task.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { examKeys, type ExamRunDraft, useStartExamRun } from '#renderer/api/exams.ts'
import { useModelNames } from '#renderer/api/models.ts'
import { examRunHref } from '#renderer/app/links.ts'
import { usePlan } from '#renderer/app/use-plan.ts'
import { Choices } from '#renderer/ui/choices.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { NumberRow, SelectRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { NONE, PROVIDERS } from './model-fields.tsx'
import { RunPlan } from './run-plan.tsx'

const PLACES = [
  { value: 'registry', label: 'A model trained here', meaning: 'It and the model that it was trained from are loaded on this machine.' },
  { value: 'provider', label: 'A provider', meaning: 'Two of its models, such as Claude, through your key in Settings → Providers.' },
  { value: 'url', label: 'A server', meaning: 'Two models of an OpenAI-compatible server.' },
] as const
type Place = (typeof PLACES)[number]['value']
const BASE = 'base'

interface Form {
  place: Place
  model: string
  against: string
  provider: (typeof PROVIDERS)[number]['value']
  baseUrl: string
  name: string
  baseName: string
  maxCostUsd: string
  parallel: string
  attempts: string
  agent: TaskAgent
}

export function NewRun({ exam, model, onClose }: { exam: Exam; model: string | null; onClose: () => void }) {
  const [form, setForm] = useState<Form>({
    place: 'registry',
    model: model ?? NONE,
    against: BASE,
    provider: 'anthropic',
    baseUrl: '',
    name: '',
    baseName: '',
    maxCostUsd: '',
    parallel: '',
    attempts: '',
    agent: 'shell',
  })
  const set = (part: Partial<Form>) => setForm((now) => ({ ...now, ...part }))
  const names = useModelNames().data ?? new Map<string, string>()
  const [, go] = useLocation()
  const offline = useOfflineReason()
  const isTasks = exam.kind === 'solved_tasks'
  const request = requestOf(form, isTasks)
  const planned = usePlan(request === null ? null : { id: exam.id, ...request }, PLAN)
  const start = useStartExamRun(exam.id, (run) => go(examRunHref(exam.id, run)))
  const models = [...names].map(([value, label]) => ({ value, label }))
  const refused = planned.plan?.refusals[0]?.message ?? null
  const reason = offline ?? (request === null ? missingOf(form) : refused)
  return (
    <FormDialog
      wide
      title="Run the exam"
      description={
        isTasks
          ? 'Agents do the same tasks with both models, in turn, so that nothing but the model differs.'
          : 'Both models answer the same items, in turn, so that nothing but the model differs.'
      }
      action="Start"
      reason={reason}
      busy={start.isPending}
      onSubmit={() => request && start.mutate(request)}
      onClose={onClose}
    >
      <Choices label="Where they are" value={form.place} options={PLACES} onChange={(place) => set({ place })} />
      {form.place === 'registry' ? (
        <>
          <SelectRow
            label="Model"
            className="w-96 max-w-full"
            value={form.model}
            options={[{ value: NONE, label: models.length === 0 ? 'No model was trained yet' : 'Choose a model' }, ...models]}
            onChange={(value) => set({ model: value })}
          />
          <SelectRow
            label="Against"
            className="w-96 max-w-full"
            value={form.against}
            options={[{ value: BASE, label: 'The model that it was trained from' }, ...models]}
            onChange={(against) => set({ against })}
          />
        </>
      ) : (
        <>
          {form.place === 'provider' ? (
            <SelectRow label="Provider" value={form.provider} options={PROVIDERS} onChange={(provider) => set({ provider })} />
          ) : (
            <TextRow
              label="Address"
              mono
              placeholder="http://127.0.0.1:8000/v1"
              value={form.baseUrl}
              onChange={(baseUrl) => set({ baseUrl })}
            />
          )}
          <TextRow label="Name of the model" mono value={form.name} onChange={(name) => set({ name })} />
          <TextRow
            label={form.place === 'provider' ? 'Compared with' : 'Name of its base'}
            mono
            value={form.baseName}
            onChange={(baseName) => set({ baseName })}
          />
        </>
      )}
      {isTasks ? (
        <>
          <NumberRow
            label="Attempts"
            hint="At each task, by each model: 1 to 16."
            placeholder="1"
            value={form.attempts}
            onChange={(attempts) => set({ attempts })}
          />
          <SelectRow label="Agent" className="w-96 max-w-full" value={form.agent} options={AGENTS} onChange={(agent) => set({ agent })} />
        </>
      ) : (
        <NumberRow
          label="Items at a time"
          hint="1 to 16. More is quicker; a model on this machine then shares it."
          placeholder="1"
          value={form.parallel}
          onChange={(parallel) => set({ parallel })}
        />
      )}
      <NumberRow
        label="Cost limit"
        hint="US dollars, for both models together. Empty: no limit. Needs known prices."
        placeholder=""
        value={form.maxCostUsd}
        onChange={(maxCostUsd) => set({ maxCostUsd })}
      />
      {planned.error ? <ErrorState title="Couldn't plan the run" error={planned.error} retry={() => void planned.refetch()} /> : null}
      {planned.plan ? (
        <RunPlan plan={planned.plan} sides={[planned.plan.model, planned.plan.against]} cost={(most) => `Cost at most: ${most}.`} />
      ) : null}
      {start.error ? <ErrorState title="Couldn't start the run" error={start.error} /> : null}
    </FormDialog>
  )
}

const MOST = 16
const AGENTS = [
  { value: 'shell', label: 'Shell agent, with any model' },
  { value: 'claude-code', label: 'Claude Code' },
  { value: 'opencode', label: 'OpenCode' },
  { value: 'codex', label: 'Codex' },
] as const satisfies readonly { value: TaskAgent; label: string }[]

const PLAN = {
  key: examKeys.runPlan,
  ask: ({ id, ...body }: ExamRunDraft & { id: string }, signal: AbortSignal) => api.planExamRun({ params: { id }, body, signal }),
}

function requestOf(
  { place, model, against, provider, baseUrl, name, baseName, maxCostUsd, parallel, attempts, agent }: Form,
  isTasks: boolean,
): ExamRunDraft | null {
  const cost = maxCostUsd.trim() === '' ? null : Number(maxCostUsd)
  if (cost !== null && !(cost > 0)) return null
  const [times, together] = [countIn(attempts), countIn(parallel)]
  if (times === null || together === null) return null
  const cap = { ...(cost !== null && { maxCostUsd: cost }), ...(isTasks ? { attempts: times, agent } : { parallel: together }) }
  if (place === 'registry')
    return model === NONE
      ? null
      : { model: { kind: 'model', model }, against: against === BASE ? { kind: 'base', model } : { kind: 'model', model: against }, ...cap }
  if ((place === 'url' && !/^https?:\/\/./.test(baseUrl.trim())) || name.trim() === '' || baseName.trim() === '') return null
  const at = (one: string) =>
    place === 'provider'
      ? { kind: 'provider' as const, provider, model: one.trim() }
      : { kind: 'url' as const, baseUrl: baseUrl.trim(), model: one.trim() }
  return { model: at(name), against: at(baseName), ...cap }
}

/** Of attempts, or of items at a time; null if it is neither empty nor such a number. */
function countIn(text: string): number | null {
  const count = text.trim() === '' ? 1 : Number(text)
  return Number.isInteger(count) && count >= 1 && count <= MOST ? count : null
}

const missingOf = ({ place, model, maxCostUsd, parallel, attempts }: Form): string =>
  countIn(attempts) === null || countIn(parallel) === null
    ? `Enter a whole number of 1 to ${MOST}.`
    : maxCostUsd.trim() !== '' && !(Number(maxCostUsd) > 0)
      ? 'Enter a cost limit above 0, or none.'
      : place === 'registry' && model === NONE
        ? 'Choose a model.'
        : place === 'provider'
          ? 'Enter both names.'
          : 'Enter the address and both names.'
