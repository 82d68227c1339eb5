import { useMemo, useState } from 'react'
import { useSearch } from 'wouter'
import { RunPreset } from '#contracts/entities/run.ts'
import { TrainStrategy } from '#contracts/trainer.ts'
import { useBaseModels } from '#renderer/api/base-models.ts'
import { BackToSetUp } from '#renderer/app/back-to-set-up.tsx'
import { PlanState, StartFrame } from '#renderer/app/start-frame.tsx'
import { useKeys } from '#renderer/app/use-keys.ts'
import { Choices } from '#renderer/ui/choices.tsx'
import { FetchedPage } from '#renderer/ui/fetched.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { useTitle } from '#renderer/ui/page.tsx'
import { useRun } from '../queries.ts'
import { ALL_RUNS, PRESET_WORDS, STRATEGY_WORDS } from '../words.ts'
import { Config } from './config.tsx'
import { DataChoice } from './data-choice.tsx'
import { withAdvice, draftOf, type Draft } from './draft.ts'
import { MatrixRail } from './matrix-rail.tsx'
import { MixChoice } from './mix-choice.tsx'
import { ModelChoice } from './model-choice.tsx'
import { OwnPresets } from './own-presets.tsx'
import { PlanRail } from './plan-rail.tsx'
import { Settings, useDefaults } from './settings.tsx'
import { SeveralValues } from './several-values.tsx'
import { StartButtons } from './start-buttons.tsx'
import { useStart } from './use-start.ts'

/** The form for a new run. `?from=` fills it in from an earlier run; `?dataset=` and `?strategy=` fill in that field. */
export default function NewRun() {
  useTitle('New run')
  const search = new URLSearchParams(useSearch())
  const from = search.get('from')
  const source = useRun(from ?? '')
  if (from === null) {
    const strategy = TrainStrategy.safeParse(search.get('strategy'))
    const initial = draftOf({
      ...(strategy.success && { strategy: strategy.data }),
      ...(search.get('dataset') && { datasetId: search.get('dataset')! }),
    })
    return <Form initial={initial} />
  }
  return (
    <FetchedPage query={source} what="run to repeat" all={ALL_RUNS}>
      {({ id, request }) => <Form key={id} initial={draftOf({ ...request, fromRun: id })} />}
    </FetchedPage>
  )
}

function Form({ initial }: { initial: Draft }) {
  const [typedDraft, setDraft] = useState(initial)
  // a suggested model is filled in until the user chooses another or clears the field
  const [isModelChosen, setModelChosen] = useState(initial.baseModel !== '')
  const suggested = useBaseModels().data?.suggested ?? null
  const suggestion = !isModelChosen && typedDraft.baseModel === '' ? suggested : null
  const draft = useMemo(() => (suggestion === null ? typedDraft : { ...typedDraft, baseModel: suggestion.id }), [typedDraft, suggestion])
  const start = useStart(draft)
  const { request, errors, errorOf, formProblem, runPlan, matrix, axesError, noPython } = start
  const { plan, isOld } = runPlan
  const defaults = useDefaults(draft, isOld ? null : (plan?.settings ?? null))
  const set = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  useKeys({ submit: start.begin })
  return (
    <StartFrame
      title="New run"
      heading={draft.fromRun ? 'Run again with changes' : 'New run'}
      about={
        <>
          Choose the model, data and settings. Nothing is written until you start the run. <TextLink href="/training">All runs</TextLink>
        </>
      }
      planLabel="What this run would do"
      isOld={plan !== null && isOld}
      plan={
        <>
          {start.hasMatrixPlan ? <MatrixRail plan={matrix.plan} isOld={matrix.isOld} /> : null}
          <PlanState planned={runPlan} wants={formProblem === null ? null : `The plan appears once the form is complete. ${formProblem}`}>
            {(plan) => <PlanRail plan={plan} strategy={draft.strategy} onApply={(change) => setDraft((now) => withAdvice(now, change))} />}
          </PlanState>
        </>
      }
      foot={<StartButtons start={start} draft={draft} set={set} />}
    >
      <BackToSetUp />
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
        note={suggestion === null ? null : SUGGESTED[suggestion.why]}
        onChange={(baseModel) => {
          setModelChosen(true)
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
        <TextField
          label="Name"
          placeholder="generated from strategy, model and time"
          value={draft.name}
          error={errors['name']}
          onChange={(name) => set({ name })}
        />
        <TextField
          label="Tags"
          placeholder="comma-separated"
          value={draft.tags}
          error={errors['tags']}
          onChange={(tags) => set({ tags })}
        />
      </div>
      <Config request={request} plan={plan} onLoad={(loaded) => setDraft((now) => draftOf(loaded, now))} />
    </StartFrame>
  )
}

/** Why a base model was filled in. */
const SUGGESTED = {
  'newest-run': 'Filled in for you: the base model of your newest run.',
  default: 'Filled in for you: the default base model.',
  fits: 'Filled in for you: it fits this machine.',
} as const
