import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { RolloutPlan } from '#contracts/entities/rollout.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { type RolloutDraft, rolloutKeys, useStartRollouts } from '#renderer/api/rollouts.ts'
import { rolloutsHref } from '#renderer/app/links.ts'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { Choices } from '#renderer/ui/choices.tsx'
import { formatCompact, formatCount, formatUsd, plural } from '#renderer/ui/format.ts'
import { NumberRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { ModelChoice } from '../../run-form/agent-choice.tsx'
import { Part, PayerPart, PlanState, Refusals } from '../../run-form/plan-parts.tsx'
import { planReason, StartPage } from '../../run-form/start-page.tsx'
import { usePlan } from '../../run-form/use-plan.ts'
import { ALL_ROLLOUTS } from '../all-rollouts.ts'
import { missingOf, NEW_ROLLOUTS, problemsOf, requestOf, type RolloutForm } from './form.ts'

const PLANNED = { key: rolloutKeys.plan, ask: (body: RolloutDraft, signal: AbortSignal) => api.planRollouts({ body, signal }) }
const LEVELS = [1, 2, 3, 4]

/** `/arena/rollouts/new` */
export default function NewRollouts() {
  const [form, setForm] = useState<RolloutForm>(NEW_ROLLOUTS)
  const [, go] = useLocation()
  const offline = useOfflineReason()
  const set = (part: Partial<RolloutForm>) => setForm((now) => ({ ...now, ...part }))
  const request = useMemo(() => requestOf(form), [form])
  const problems = problemsOf(form)
  const { plan, error, isOld, again } = usePlan(request, PLANNED)
  const wants = missingOf(form) ?? Object.values(problems)[0] ?? null
  // the same form started twice is one set; a form that has changed is another
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new key for each request
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [request])
  const { error: failure, isPending, mutate } = useStartRollouts(({ id }) => go(rolloutsHref(id)))
  const number = (name: keyof RolloutForm, label: string, hint: string) => (
    <NumberRow
      label={label}
      hint={hint}
      error={problems[name]}
      value={String(form[name])}
      placeholder={String(NEW_ROLLOUTS[name]) || 'none'}
      onChange={(value) => set({ [name]: value })}
    />
  )
  return (
    <StartPage
      title="New rollouts"
      about={
        <>
          A model tries each task several times, each time in a fresh sandbox.{' '}
          <TextLink href={ALL_ROLLOUTS.href}>{ALL_ROLLOUTS.label}</TextLink>
        </>
      }
      plan={
        <PlanState
          plan={plan}
          error={error}
          retry={again}
          isOld={isOld}
          wants={wants === null ? null : `${wants} Then you see here how much it would be, and who pays.`}
        >
          {(known) => <PlanParts form={form} plan={known} />}
        </PlanState>
      }
      isOld={plan !== null && isOld}
      start={{
        label: 'Start rollouts',
        failed: "Couldn't start the rollouts",
        error: failure,
        isBusy: isPending,
        go: () => request && mutate({ ...request, idempotencyKey }),
      }}
      reason={offline ?? wants ?? error?.message ?? planReason(plan, isOld)}
    >
      <section aria-label="Tasks">
        <TextRow
          label="Split"
          hint="A named part of the shell tasks, for example starter."
          mono
          value={form.split}
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
          <span className="text-xs text-second">None chosen: all of them.</span>
        </fieldset>
        {number('most', 'Tasks at most', 'Empty: all that match.')}
      </section>
      <ModelChoice form={form} problems={problems} set={set} />
      <section aria-label="How much">
        {number('perTask', 'Attempts a task', 'Their rewards are compared with one another.')}
        {number('concurrency', 'At a time', 'Episodes at once, as far as the Arena has places.')}
        {number('turnsEach', 'Turns', 'Messages of the model in an episode, at most.')}
        {number('newTokens', 'Tokens of a message', 'A message that is cut off here leaves its group.')}
        {number('temperature', 'Temperature', '1 for training, 0 to compare models.')}
        {number('seed', 'Seed', 'Empty: none. Each episode has the next one.')}
        {number(
          'maxCostUsd',
          'Cost of all',
          'US dollars. No episode is begun beyond it. Empty: no limit. Needs a model whose price is known.',
        )}
      </section>
      <Choices
        label="Form of a message"
        value={form.form}
        options={[
          { value: 'command', label: 'Command', meaning: 'The message is the command, word for word.' },
          { value: 'terminal', label: 'Tool call', meaning: 'The message is a call of the tool terminal.' },
        ]}
        onChange={(value) => set({ form: value })}
      />
    </StartPage>
  )
}

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
          {price === null ? '' : `, ${formatUsd((mostOutputTokens / 1e6) * price.outputPerMTok)} for them`}; input tokens come on top.
        </p>
      </Part>
      <PayerPart plan={plan} />
      <Part title="Sandboxes">
        <p className="text-second">
          {isolation === null ? 'No sandbox engine is known.' : `Isolated by ${isolation}, without a network.`} {plural(places, 'place')} in
          the Arena.
        </p>
      </Part>
    </>
  )
}
