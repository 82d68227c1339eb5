import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Benchmark, BenchmarkRunPlan } from '#contracts/entities/benchmark.ts'
import { type BenchmarkDraft, benchmarkKeys, useStartBenchmark } from '#renderer/api/benchmarks.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { benchmarkRunHref } from '#renderer/app/links.ts'
import { usePlan } from '#renderer/app/use-plan.ts'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { NumberRow, SelectRow, SwitchRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { DASH, formatCompact, formatCount, formatUsd, plural } from '#renderer/ui/format.ts'
import { ErrorState } from '#renderer/ui/states.tsx'
import { EMPTY_MODEL, missingModel, type ModelForm, ModelFields, modelIn } from '../model-fields.tsx'
import { PlanBox } from '../run-plan.tsx'

const EMPTY = {
  files: '',
  own: false,
  limit: '',
  samples: '',
  passK: '',
  maxCostUsd: '',
}
type Form = typeof EMPTY & { model: ModelForm; part: string }

export function NewRun({ benchmark, model, onClose }: { benchmark: Benchmark; model: string | null; onClose: () => void }) {
  const [form, setForm] = useState<Form>({
    ...EMPTY,
    model: { ...EMPTY_MODEL, place: 'registry', ...(model !== null && { model }) },
    part: benchmark.parts[0]!.name,
  })
  const set = (part: Partial<Form>) => setForm((now) => ({ ...now, ...part }))
  const [, go] = useLocation()
  const offline = useOfflineReason()
  const { request, missing } = requestOf(benchmark, form)
  const planned = usePlan(request, PLAN)
  const start = useStartBenchmark((id) => go(benchmarkRunHref(id)))
  return (
    <FormDialog
      wide
      title={`Run ${benchmark.title}`}
      description={`${benchmark.measures}. Form: ${benchmark.form}.`}
      action="Start"
      reason={offline ?? missing ?? planned.plan?.refusals[0]?.message ?? null}
      busy={start.isPending}
      onSubmit={() => request && start.mutate(request)}
      onClose={onClose}
    >
      <ModelFields label="Where it is" value={form.model} onChange={(chosen) => set({ model: chosen })} />
      {benchmark.parts.length > 1 ? (
        <SelectRow
          label="Part"
          value={form.part}
          options={benchmark.parts.map(({ name, items }) => ({ value: name, label: `${name} (${formatCount(items)})` }))}
          onChange={(part) => set({ part })}
        />
      ) : null}
      <TextRow
        label="Files"
        mono
        hint="A folder or file with its items. Empty: what was fetched, or named last."
        value={form.files}
        onChange={(files) => set({ files })}
      />
      <SwitchRow
        label="Own items"
        hint="In the same format, but not the published set."
        checked={form.own}
        onChange={(own) => set({ own })}
      />
      <NumberRow
        label="Items"
        hint="Drawn by a fixed seed. Empty: all."
        placeholder=""
        value={form.limit}
        onChange={(limit) => set({ limit })}
      />
      <NumberRow
        label="Answers to each item"
        hint="More than one is asked at temperature .8."
        placeholder="1"
        value={form.samples}
        onChange={(samples) => set({ samples })}
      />
      <TextRow
        label="pass@k"
        hint="Values of k, such as 1, 5, 10."
        placeholder="1"
        value={form.passK}
        onChange={(passK) => set({ passK })}
      />
      <NumberRow
        label="Cost limit"
        hint="US dollars. Empty: no limit. Needs a known price."
        placeholder=""
        value={form.maxCostUsd}
        onChange={(maxCostUsd) => set({ maxCostUsd })}
      />
      {planned.error ? <ErrorState title="Couldn't plan the run" error={planned.error} retry={() => void planned.refetch()} /> : null}
      {planned.plan ? <Plan plan={planned.plan} /> : null}
      {start.error ? <ErrorState title="Couldn't start the run" error={start.error} /> : null}
    </FormDialog>
  )
}

const PLAN = {
  key: benchmarkKeys.plan,
  ask: (body: BenchmarkDraft, signal: AbortSignal) => api.planBenchmark({ body, signal }),
}

type Parsed = { request: BenchmarkDraft; missing: null } | { request: null; missing: string }

function requestOf(benchmark: Benchmark, form: Form): Parsed {
  const missing = (sentence: string): Parsed => ({ request: null, missing: sentence })
  const [limit, samples, cost] = [form.limit, form.samples, form.maxCostUsd].map((text) => (text.trim() === '' ? null : Number(text)))
  for (const [number, name] of [
    [limit, 'items'],
    [samples, 'answers'],
  ] as const)
    if (number != null && (!Number.isInteger(number) || number < 1)) return missing(`Enter a whole number of ${name}, or none.`)
  if (cost != null && !(cost > 0)) return missing('Enter a cost limit above 0, or none.')
  const passK = form.passK.split(/[,\s]/).filter(Boolean).map(Number)
  if (passK.some((k) => !Number.isInteger(k) || k < 1)) return missing('Enter whole numbers for pass@k, such as 1, 5, 10.')
  const model = modelIn(form.model)
  if (model === null) return missing(missingModel(form.model))
  return {
    missing: null,
    request: {
      benchmark: benchmark.name,
      model,
      part: form.part,
      own: form.own,
      ...(form.files.trim() !== '' && { files: form.files.trim() }),
      ...(limit != null && { numSamples: limit }),
      ...(samples != null && { samplesPerItem: samples }),
      ...(passK.length > 0 && { passK }),
      ...(cost != null && { maxCostUsd: cost }),
    },
  }
}

const Plan = ({ plan }: { plan: BenchmarkRunPlan }) => (
  <PlanBox plan={plan}>
    <p>
      {plural(plan.items, 'item')}, {plural(plan.requests, 'request')}, about {formatCompact(plan.inputTokens)} input tokens and at most{' '}
      {formatCompact(plan.mostOutputTokens)} output tokens. Cost at most:{' '}
      {plan.mostUsd === null ? `${DASH} (the price is not known)` : formatUsd(plan.mostUsd)}.
    </p>
    <p className="break-words text-second">
      Who pays: {plan.payer} The items go to {plan.receiver}.
    </p>
    {plan.uncertainty === null ? null : (
      <p className="text-second">The result will be uncertain by up to ±{(100 * plan.uncertainty).toFixed(1)} points.</p>
    )}
  </PlanBox>
)
