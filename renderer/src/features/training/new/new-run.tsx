import { useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { RunPreset } from '#contracts/entities/run.ts'
import { TrainSettings, TrainStrategy } from '#contracts/trainer.ts'
import { matrixSize } from '#contracts/entities/run-matrix.ts'
import { useBaseModels } from '#renderer/api/base-models.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { matrixHref, runHref } from '#renderer/app/links.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { Choices } from '#renderer/ui/choices.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { TextInput } from '#renderer/ui/field.tsx'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { NotRead } from '#renderer/ui/not-read.tsx'
import { useTitle } from '#renderer/ui/page.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { useEnvironment, usePresets, useRun, useSavePreset, useStartMatrix, useStartRun } from '../queries.ts'
import { ALL_RUNS, PRESET_WORDS, STRATEGY_WORDS } from '../words.ts'
import { Config } from './config.tsx'
import { DataChoice } from './data-choice.tsx'
import { applied, axesOf, draftOf, requestOf, textOf, type Draft } from './draft.ts'
import { DryRunResult, useDryRun } from './dry-run.tsx'
import { ALL_FIELDS, BASIC, fitsStrategy, GROUPS } from './fields.ts'
import { MatrixRail } from './matrix-rail.tsx'
import { MixChoice } from './mix-choice.tsx'
import { ModelChoice } from './model-choice.tsx'
import { PlanRail } from './plan-rail.tsx'
import { Rewards } from './rewards.tsx'
import { SeveralValues } from './several-values.tsx'
import { SettingRow } from './setting-row.tsx'
import { useMatrixPlan, usePlan } from './use-plan.ts'

/** A new run, an empty form or that of a run before (`?from=`); `?dataset=` and `?strategy=` fill in a part. */
export default function NewRun() {
  useTitle('New run')
  const search = new URLSearchParams(useSearch())
  const from = search.get('from')
  const before = useRun(from ?? '')
  if (from === null) {
    const strategy = TrainStrategy.safeParse(search.get('strategy'))
    const start = draftOf({
      ...(strategy.success && { strategy: strategy.data }),
      ...(search.get('dataset') && { datasetId: search.get('dataset')! }),
    })
    return <Form start={start} />
  }
  if (before.error) return <NotRead what="run to repeat" error={before.error} retry={() => void before.refetch()} all={ALL_RUNS} />
  if (!before.data) {
    return (
      <Loading label="Loading the run to repeat" className="flex flex-col gap-4 p-6">
        <Skeleton className="h-6 w-48" />
        <Skeleton className="h-64 w-full" />
      </Loading>
    )
  }
  const { id, request } = before.data
  return <Form key={id} start={draftOf({ ...request, fromRun: id })} />
}

function Form({ start }: { start: Draft }) {
  const [typed, setDraft] = useState(start)
  // a model of this machine stands in the form until another is chosen, or it is cleared
  const [isModelOwn, setModelOwn] = useState(start.baseModel !== '')
  const suggested = useBaseModels().data?.suggested ?? null
  const filledIn = !isModelOwn && typed.baseModel === '' ? suggested : null
  const draft = useMemo(() => (filledIn === null ? typed : { ...typed, baseModel: filledIn.id }), [typed, filledIn])
  const [, go] = useLocation()
  const offline = useOfflineReason()
  const environment = useEnvironment().data
  const read = useMemo(() => requestOf(draft), [draft])
  const request = 'request' in read ? read.request : null
  const errors: Record<string, string> = 'errors' in read ? read.errors : {}
  const { plan, error, isOld, again } = usePlan(request)
  const readAxes = useMemo(() => axesOf(draft), [draft])
  const axes = 'axes' in readAxes ? readAxes.axes : null
  const axesError = 'error' in readAxes ? readAxes.error : null
  const matrix = useMatrixPlan(request && axes && { ...request, axes })
  const isMatrix = draft.axes.length > 0
  const defaults = useDefaults(draft, isOld ? null : (plan?.settings ?? null))
  const dryRun = useDryRun()
  // the same form started twice is one run; a form that has changed is another
  const text = JSON.stringify([request, axes])
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new key for each request
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [text])
  const startRun = useStartRun((run) => go(runHref(run.id)))
  const startMatrix = useStartMatrix(({ id }) => go(matrixHref(id)))
  const set = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  // what is only missing is said in the plan; red is for what was filled in and is wrong, and for a start that was tried
  const [tried, setTried] = useState(false)
  const errorOf = (path: string) => (tried || !isMissing(path) ? errors[path] : undefined)
  const needs = firstOf(errors)
  const refusals = plan?.notes.filter(({ level }) => level === 'refusal') ?? []
  const refusal = refusals[0]?.message ?? null
  // whether memory holds it is what a dry run finds out
  const unfit = refusals.find(({ code }) => code !== 'memory')?.message ?? null
  const noPython =
    environment && environment.state !== 'ready'
      ? (environment.problem ?? 'No Python for training is set up. See Settings → Training.')
      : null
  const matrixRefusal = matrix.plan?.startable === 0 ? (matrix.plan.runs[0]?.refusals[0]?.message ?? null) : null
  const reason =
    offline ?? needs ?? (isMatrix ? (axesError ?? matrix.error?.message ?? matrixRefusal) : (error?.message ?? refusal)) ?? noPython
  const combinations = axes === null ? 0 : matrixSize(axes)
  const startable = matrix.isOld ? combinations : (matrix.plan?.startable ?? combinations)
  const begin = () => {
    setTried(true)
    if (isMatrix) {
      if (request && axes && reason === null && !startMatrix.isPending)
        startMatrix.mutate({ ...request, axes, skipRefused: startable < combinations, idempotencyKey })
      return
    }
    if (request && reason === null && !startRun.isPending) startRun.mutate({ ...request, idempotencyKey })
  }
  useKeys({ submit: begin })
  const isShort =
    plan?.memory !== null && plan?.memory !== undefined && plan.device.freeBytes !== null && plan.memory.total > plan.device.freeBytes
  return (
    <div className="flex min-h-0 flex-1">
      <div className="min-h-0 min-w-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex max-w-[820px] flex-col gap-5 px-6 py-5">
          <header>
            <h1 className="text-xl font-semibold">{draft.fromRun ? 'Run again with changes' : 'New run'}</h1>
            <p className="text-sm text-second">
              Choose the model, data and settings. Nothing is written until you start the run.{' '}
              <TextLink href="/training">All runs</TextLink>
            </p>
          </header>
          {noPython ? (
            <div role="status" className="flex flex-wrap items-center gap-3 rounded border border-warn px-3 py-2 text-sm">
              <span className="min-w-60 flex-1">{noPython} You can plan the run without it.</span>
              <ButtonLink href="/settings/training">Set up training</ButtonLink>
            </div>
          ) : null}
          <Choices
            label="Strategy"
            value={draft.strategy}
            options={TrainStrategy.options.map((value) => ({ value, ...STRATEGY_WORDS[value] }))}
            onChange={(strategy) => set({ strategy })}
          />
          <DataChoice draft={draft} set={set} errorOf={errorOf} />
          {draft.source === 'tasks' ? null : <MixChoice draft={draft} set={set} errorOf={errorOf} />}
          <ModelChoice
            label="Base model"
            value={draft.baseModel}
            error={errorOf('baseModel')}
            note={filledIn === null ? null : SUGGESTED[filledIn.why]}
            onChange={(baseModel) => {
              setModelOwn(true)
              set({ baseModel })
            }}
          />
          {draft.strategy === 'distillation' ? (
            <ModelChoice label="Teacher" value={draft.teacher} error={errorOf('teacher')} onChange={(teacher) => set({ teacher })} />
          ) : null}
          <Choices
            label="Preset"
            value={draft.preset}
            options={RunPreset.options.map((value) => ({ value, ...PRESET_WORDS[value] }))}
            onChange={(preset) => set({ preset })}
          />
          <OwnPresets onLoad={(request) => setDraft((now) => draftOf(request, now))} />
          <Settings draft={draft} set={set} defaults={defaults} errorOf={errorOf} plan={plan?.settings ?? null} />
          <SeveralValues draft={draft} set={set} error={axesError} />
          <div className="grid grid-cols-2 gap-3">
            <Words
              id="run-name"
              label="Name"
              placeholder="generated from strategy, model and time"
              value={draft.name}
              error={errors['name']}
              onChange={(name) => set({ name })}
            />
            <Words
              id="run-tags"
              label="Tags"
              placeholder="comma-separated"
              value={draft.tags}
              error={errors['tags']}
              onChange={(tags) => set({ tags })}
            />
          </div>
          <Config request={request} plan={plan} onLoad={(loaded) => setDraft((now) => draftOf(loaded, now))} />
        </div>
      </div>
      <aside aria-label="Plan" className="flex w-[340px] shrink-0 flex-col border-l border-line bg-panel max-[1100px]:w-[300px]">
        <div
          role="region"
          aria-label="What this run would do"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
          tabIndex={0}
          className="focus-inset flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4"
        >
          <h2 className="text-lg font-semibold">
            Plan {plan && isOld ? <span className="text-xs font-normal text-second">updating</span> : null}
          </h2>
          {isMatrix && request && axes && !matrix.error ? <MatrixRail plan={matrix.plan} isOld={matrix.isOld} /> : null}
          <PlanRail
            plan={plan}
            error={error}
            retry={again}
            isOld={isOld}
            strategy={draft.strategy}
            onApply={(change) => setDraft((now) => applied(now, change))}
            wants={needs === null ? null : `The plan appears once the form is complete. ${needs}`}
          />
        </div>
        <div className="flex flex-col gap-2 border-t border-line p-4">
          <DryRunResult dryRun={dryRun} steps={plan?.steps ?? null} />
          {startRun.error ? <ErrorState title="Couldn't start the run" error={startRun.error} /> : null}
          {startMatrix.error ? <ErrorState title="Couldn't start the runs" error={startMatrix.error} /> : null}
          {isShort || draft.overrideMemory ? (
            <span className="flex items-center gap-1 text-sm">
              <Checkbox
                id="override-memory"
                label="Start even if it may not fit"
                checked={draft.overrideMemory}
                onChange={(overrideMemory) => set({ overrideMemory })}
              />
              Start even if it may not fit
            </span>
          ) : null}
          <div className="flex gap-2">
            <Button
              className="flex-1"
              reason={offline ?? needs ?? error?.message ?? unfit ?? noPython}
              busy={dryRun.busy}
              onClick={() => request && dryRun.start(request)}
            >
              Dry run
            </Button>
            <Button
              look="primary"
              className="flex-1"
              keys={keyOf('submit')}
              reason={reason}
              busy={startRun.isPending || startMatrix.isPending}
              onClick={begin}
            >
              {!isMatrix
                ? 'Start run'
                : startable < combinations
                  ? `Start ${startable} of ${combinations} runs`
                  : `Start ${combinations} runs`}
            </Button>
          </div>
        </div>
      </aside>
    </div>
  )
}

/** Why a base model was filled in. */
const SUGGESTED = {
  'newest-run': 'Filled in for you: the base model of your newest run.',
  default: 'Filled in for you: the default base model.',
  fits: 'Filled in for you: it fits this machine.',
} as const

const LABELS = new Map([...ALL_FIELDS.map(({ path, label }) => [path, label] as const), ['name', 'Name'], ['tags', 'Tags']])

/** What is wrong first, with the name of its field where the sentence does not say it. */
function firstOf(errors: Record<string, string>): string | null {
  const [first] = Object.entries(errors)
  if (!first) return null
  const label = LABELS.get(first[0])
  return label === undefined ? first[1] : `${label}: ${first[1]}`
}

const isMissing = (path: string): boolean => path === 'datasetId' || path === 'file' || path === 'baseModel' || path === 'teacher'

/** Defaults by path, as the newest plan in which the field was left alone says; until there is one, those of the contract. */
function useDefaults(draft: Draft, resolved: TrainSettings | null): Record<string, string> {
  const scope = `${draft.strategy} ${draft.preset} ${draft.settings['method.kind'] ?? ''}`
  const [known, setKnown] = useState<{ scope: string; of: TrainSettings | null; values: Record<string, string> }>({
    scope,
    of: null,
    values: {},
  })
  if (resolved && (known.of !== resolved || known.scope !== scope)) {
    const free = ALL_FIELDS.filter(({ path }) => !draft.settings[path]).map(({ path }) => [path, textOf(resolved, path)] as const)
    setKnown({ scope, of: resolved, values: { ...(known.scope === scope ? known.values : {}), ...Object.fromEntries(free) } })
  }
  return known.scope === scope ? { ...CONTRACT, ...known.values } : CONTRACT
}

const CONTRACT_SETTINGS = TrainSettings.parse({ learningRate: 1 })
/** The learning rate hangs on strategy and method: the plan says it. */
const CONTRACT: Record<string, string> = Object.fromEntries(
  ALL_FIELDS.map(({ path }) => [path, path === 'learningRate' ? '' : textOf(CONTRACT_SETTINGS, path)]),
)

function Settings({
  draft,
  set,
  defaults,
  errorOf,
  plan,
}: {
  draft: Draft
  set: (part: Partial<Draft>) => void
  defaults: Record<string, string>
  errorOf: (path: string) => string | undefined
  plan: TrainSettings | null
}) {
  const change = (path: string, value: string) => {
    const { [path]: _before, ...others } = draft.settings
    set({ settings: value === '' ? others : { ...others, [path]: value } })
  }
  const isFull = (draft.settings['method.kind'] ?? defaults['method.kind']) === 'full'
  const shown = (fields: typeof BASIC) => fields.filter((field) => fitsStrategy(field, draft.strategy) && !(isFull && field.path.startsWith('method.') && field.path !== 'method.kind')) // prettier-ignore
  const rows = (fields: typeof BASIC) =>
    shown(fields).map((field) => (
      <SettingRow
        key={field.path}
        field={field}
        value={draft.settings[field.path]}
        defaultValue={defaults[field.path] ?? ''}
        error={errorOf(field.path.replace(/^method\.(?!kind)/, 'method.'))}
        onChange={(value) => change(field.path, value)}
      />
    ))
  const hasRewards = draft.source !== 'tasks' && (draft.strategy === 'grpo' || draft.strategy === 'rlvr')
  return (
    <section aria-label="Settings">
      <h2 className="text-sm font-semibold">Settings</h2>
      {rows(BASIC)}
      {hasRewards ? (
        <Rewards rewards={draft.rewards ?? plan?.rewards ?? []} isOwn={draft.rewards !== null} onChange={(rewards) => set({ rewards })} />
      ) : null}
      <div className="flex flex-col gap-1 pt-3">
        {GROUPS.map(({ title, fields }) => {
          if (shown(fields).length === 0) return null
          const own = shown(fields).filter(({ path }) => draft.settings[path]).length
          const broken = shown(fields).some(({ path }) => errorOf(path))
          return (
            <details key={title} className="border-b border-line">
              <summary className="py-2 text-sm">
                {title}
                <span className={cn('pl-2 text-xs', broken ? 'text-bad' : 'text-second')}>
                  {broken ? 'has an error' : own > 0 ? `${own} changed` : ''}
                </span>
              </summary>
              <div className="pb-2 pl-4">{rows(fields)}</div>
            </details>
          )
        })}
      </div>
    </section>
  )
}

function Words({
  id,
  label,
  placeholder,
  value,
  error,
  onChange,
}: {
  id: string
  label: string
  placeholder: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}) {
  const isWrong = error !== undefined
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <TextInput
        id={id}
        value={value}
        placeholder={placeholder}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-error` : undefined}
        onChange={onChange}
      />
      {isWrong ? (
        <p id={`${id}-error`} className="text-xs text-bad">
          {error}
        </p>
      ) : null}
    </div>
  )
}

/** Forms that were kept under a name. */
function OwnPresets({ onLoad }: { onLoad: (request: Parameters<typeof draftOf>[0]) => void }) {
  const presets = usePresets().data?.items ?? []
  const { remove } = useSavePreset()
  if (presets.length === 0) return null
  return (
    <div role="group" aria-label="Your presets" className="flex flex-wrap items-center gap-2 text-sm">
      <span className="text-xs text-second">Your presets</span>
      {presets.map(({ name, request }) => (
        <span key={name} className="flex items-center">
          <Button size="small" className="rounded-r-none!" onClick={() => onLoad(request)}>
            {name}
          </Button>
          <Button
            size="small"
            className="rounded-l-none! border-l-0! px-1.5!"
            aria-label={`Delete preset ${name}`}
            onClick={() => remove.mutate(name)}
          >
            ×
          </Button>
        </span>
      ))}
    </div>
  )
}
