import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Benchmark, BenchmarkRunPlan } from '#contracts/entities/benchmark.ts'
import { type BenchmarkDraft, benchmarkKeys, useStartBenchmark } from '#renderer/api/benchmarks.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useModelNames } from '#renderer/api/models.ts'
import { benchmarkRunHref } from '#renderer/app/links.ts'
import { usePlan } from '#renderer/app/use-plan.ts'
import { Choices } from '#renderer/ui/choices.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { NumberRow, SelectRow, SwitchRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { DASH, formatCompact, formatCount, formatUsd, plural } from '#renderer/ui/format.ts'
import { NoteLine } from '#renderer/ui/note-line.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'

const PLACES = [
  { value: 'registry', label: 'A model trained here', meaning: 'It is loaded on this machine.' },
  { value: 'base', label: 'The base of one', meaning: 'The model that it was trained from, on this machine.' },
  { value: 'provider', label: 'A provider', meaning: 'With your key, from Settings → Providers.' },
  { value: 'url', label: 'A server', meaning: 'A model of an OpenAI-compatible server.' },
] as const
type Place = (typeof PLACES)[number]['value']
const PROVIDERS = [
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'nim', label: 'NVIDIA NIM' },
  { value: 'openai', label: 'OpenAI-compatible' },
] as const
type Provider = (typeof PROVIDERS)[number]['value']
/** A choice that is not made; a select has no empty value. */
const NONE = 'none'

const EMPTY = {
  place: 'registry' as Place,
  provider: 'anthropic' as Provider,
  baseUrl: '',
  name: '',
  files: '',
  own: false,
  limit: '',
  samples: '',
  passK: '',
  maxCostUsd: '',
}
type Form = typeof EMPTY & { model: string; part: string }

export function NewRun({ benchmark, model, onClose }: { benchmark: Benchmark; model: string | null; onClose: () => void }) {
  const [form, setForm] = useState<Form>({ ...EMPTY, model: model ?? NONE, part: benchmark.parts[0]!.name })
  const set = (part: Partial<Form>) => setForm((now) => ({ ...now, ...part }))
  const names = useModelNames().data ?? new Map<string, string>()
  const [, go] = useLocation()
  const offline = useOfflineReason()
  const { request, missing } = requestOf(benchmark, form)
  const planned = usePlan(request, PLAN)
  const start = useStartBenchmark((id) => go(benchmarkRunHref(id)))
  const models = [...names].map(([value, label]) => ({ value, label }))
  const isOfRegistry = form.place === 'registry' || form.place === 'base'
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
      <Choices label="Model" value={form.place} options={PLACES} onChange={(place) => set({ place })} />
      {isOfRegistry ? (
        <SelectRow
          label="Which one"
          className="w-96 max-w-full"
          value={form.model}
          options={[{ value: NONE, label: models.length === 0 ? 'No model was trained yet' : 'Choose a model' }, ...models]}
          onChange={(value) => set({ model: value })}
        />
      ) : null}
      {form.place === 'provider' ? (
        <SelectRow label="Provider" value={form.provider} options={PROVIDERS} onChange={(provider) => set({ provider })} />
      ) : null}
      {form.place === 'url' ? (
        <TextRow
          label="Address"
          mono
          placeholder="http://127.0.0.1:8000/v1"
          value={form.baseUrl}
          onChange={(baseUrl) => set({ baseUrl })}
        />
      ) : null}
      {isOfRegistry ? null : <TextRow label="Name of the model" mono value={form.name} onChange={(name) => set({ name })} />}
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
  const model = modelIn(form)
  if (model === null)
    return missing(
      form.place === 'url'
        ? 'Enter the address of the server.'
        : form.place === 'provider'
          ? 'Enter the name of the model.'
          : 'Choose a model.',
    )
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

function modelIn({ place, model, provider, baseUrl, name }: Form): BenchmarkDraft['model'] | null {
  const named = name.trim() === '' ? {} : { model: name.trim() }
  if (place === 'url') return /^https?:\/\/./.test(baseUrl.trim()) ? { kind: 'url', baseUrl: baseUrl.trim(), ...named } : null
  if (place === 'provider') return name.trim() === '' ? null : { kind: 'provider', provider, ...named }
  return model === NONE ? null : { kind: place === 'base' ? 'base' : 'model', model }
}

const Plan = ({ plan }: { plan: BenchmarkRunPlan }) => (
  <section aria-label="Plan" className="flex flex-col gap-1 rounded border border-line bg-panel p-3 text-sm">
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
    <ul className="flex flex-col gap-1">
      {plan.refusals.map(({ message, hint }) => (
        <NoteLine key={message} level="refusal" message={message} hint={hint} />
      ))}
      {plan.notes.map((message) => (
        <NoteLine key={message} level="info" message={message} />
      ))}
    </ul>
  </section>
)
