import { useState } from 'react'
import { useLocation } from 'wouter'
import type { RolloutPlan } from '#contracts/entities/rollout.ts'
import { api } from '#renderer/api/client.ts'
import { type RolloutDraft, rolloutKeys, useStartRollouts } from '#renderer/api/rollouts.ts'
import { useShellTaskSplits } from '#renderer/api/shell-tasks.ts'
import { rolloutsHref } from '#renderer/app/links.ts'
import { useIdempotencyKey, usePlan } from '#renderer/app/use-plan.ts'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { Choices } from '#renderer/ui/choices.tsx'
import { formatCompact, formatCount, formatUsd, plural } from '#renderer/ui/format.ts'
import { SelectRow, SwitchRow } from '#renderer/ui/form-rows.tsx'
import { MESSAGE_FORMS } from '../../message-forms.ts'
import { ModelChoice } from '#renderer/app/run-form/agent-choice.tsx'
import { numberRows } from '#renderer/app/run-form/number-rows.tsx'
import { Part, PayerPart, PrivacyPart, Refusals } from '#renderer/app/run-form/plan-parts.tsx'
import { RedactRow } from '#renderer/app/run-form/redact-row.tsx'
import { StartPage } from '#renderer/app/run-form/start-page.tsx'
import { ALL_ROLLOUTS } from '../all-rollouts.ts'
import { missingOf, NEW_ROLLOUTS, problemsOf, requestOf, type RolloutForm } from './form.ts'

const PLAN = { key: rolloutKeys.plan, ask: (body: RolloutDraft, signal: AbortSignal) => api.planRollouts({ body, signal }) }
const LEVELS = [1, 2, 3, 4]

/** `/shell-tasks/rollouts/new` */
export default function NewRollouts() {
  const [form, setForm] = useState<RolloutForm>(NEW_ROLLOUTS)
  const [, go] = useLocation()
  const splits = useShellTaskSplits().data?.counts ?? {}
  const set = (part: Partial<RolloutForm>) => setForm((now) => ({ ...now, ...part }))
  const request = requestOf(form)
  const problems = problemsOf(form)
  const idempotencyKey = useIdempotencyKey(request)
  const start = useStartRollouts(({ id }) => go(rolloutsHref(id)))
  const planned = usePlan(request, PLAN)
  const number = numberRows({ form, defaults: NEW_ROLLOUTS, problems, set })
  return (
    <StartPage
      title="New rollouts"
      about="A model tries each task several times, each time in a fresh sandbox."
      all={ALL_ROLLOUTS}
      planned={planned}
      refusable={(plan) => plan}
      wants={missingOf(form) ?? Object.values(problems)[0] ?? null}
      shows="The plan then shows how much will run and who pays."
      parts={(plan) => <PlanParts form={form} plan={plan} />}
      start={{
        ...start,
        label: 'Start rollouts',
        failed: "Couldn't start the rollouts",
        go: () => request && start.mutate({ ...request, idempotencyKey }),
      }}
    >
      <section aria-label="Tasks">
        <SelectRow
          label="Split"
          hint="The shell tasks to try."
          className="w-96 max-w-full"
          value={form.split}
          options={splitOptions(splits, form.split)}
          onChange={(split) => set({ split })}
        />
        <fieldset className="flex flex-wrap items-center gap-4 py-2 text-sm">
          <legend className="float-left pr-4">Difficulty</legend>
          {LEVELS.map((level) => (
            <span key={level} className="inline-flex items-center gap-1">
              <Checkbox
                label={`Difficulty ${level}`}
                checked={form.levels.includes(level)}
                onChange={(isOn) =>
                  set({ levels: isOn ? [...form.levels, level].toSorted((a, b) => a - b) : form.levels.filter((one) => one !== level) })
                }
              />
              {level}
            </span>
          ))}
          <span className="text-xs text-second">None selected: all levels.</span>
        </fieldset>
        {number('maxTasks', 'Maximum tasks', 'Empty: all that match.')}
      </section>
      <ModelChoice form={form} problems={problems} set={set} />
      <RedactRow form={form} plan={planned.plan?.redaction} set={set} />
      <section aria-label="How much">
        {number('perTask', 'Attempts per task', 'Their rewards are compared with each other.')}
        {number('concurrency', 'Episodes at a time', 'Also limited by how many sandboxes may run at once.')}
        {number('turnsEach', 'Maximum turns', 'Messages of the model in one episode.')}
        {number('newTokens', 'Maximum tokens per turn', 'An episode with a longer message is cut off and gets no reward.')}
        {number('temperature', 'Temperature', 'Use 1 for training, 0 to compare models.')}
        {number('seed', 'Seed', 'Empty: no seed. Each episode uses the next number.')}
        {number(
          'maxCostUsd',
          'Cost limit',
          'US dollars. No more episodes are started once it is reached. Empty: no limit. Needs a model with a known price.',
        )}
      </section>
      <Choices label="Message format" value={form.form} options={MESSAGE_FORMS} onChange={(value) => set({ form: value })} />
      <SwitchRow
        label="Log-probabilities"
        hint="Record them for each token, for the exports to ART and TRL. Not every endpoint returns them."
        checked={form.logprobs}
        onChange={(logprobs) => set({ logprobs })}
      />
    </StartPage>
  )
}

/** Each split with its number of tasks. Includes the chosen split even before the splits are loaded. */
const splitOptions = (splits: Record<string, number>, chosenSplit: string) => [
  ...Object.entries(splits).map(([value, count]) => ({ value, label: `${value} · ${plural(count, 'task')}` })),
  ...(chosenSplit in splits ? [] : [{ value: chosenSplit, label: chosenSplit }]),
]

function PlanParts({ form, plan }: { form: RolloutForm; plan: RolloutPlan }) {
  const { tasks, episodes, mostOutputTokens, isolation, places, price, refusals } = plan
  return (
    <>
      <Refusals refusals={refusals} />
      <Part title="How much">
        <p>
          {plural(tasks, 'task')}, {plural(episodes, 'episode')}, {formatCount(Math.min(Number(form.concurrency), places))} at a time.
        </p>
        <p className="text-second">
          At most {formatCompact(mostOutputTokens)} output tokens
          {price === null ? '' : `, ${formatUsd((mostOutputTokens / 1e6) * price.outputPerMTok)} for them`}; input tokens are extra.
        </p>
      </Part>
      <PayerPart plan={plan} />
      <PrivacyPart privacy={plan.privacy} />
      <Part title="Sandboxes">
        <p className="text-second">
          {isolation === null ? 'No sandbox engine is available.' : `Isolated by ${isolation}, without a network.`}{' '}
          {plural(places, 'place')} for sandboxes.
        </p>
      </Part>
    </>
  )
}
