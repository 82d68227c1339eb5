import { useMemo, useState } from 'react'
import type { ShellGenerationPlan } from '#contracts/entities/shell-generation.ts'
import { api } from '#renderer/api/client.ts'
import { confirmed } from '#renderer/api/confirmation.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { type GenerationDraft, generationKeys } from '#renderer/api/shell-generations.ts'
import { useJobOf } from '#renderer/api/use-job.ts'
import { progressSentence, progressShare } from '#renderer/app/words/jobs.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { formatCompact, formatUsd, plural } from '#renderer/ui/format.ts'
import { NumberRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { JobLine } from '#renderer/ui/job-line.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { ModelChoice } from '../../run-form/agent-choice.tsx'
import { Part, PlanState, Refusals } from '../../run-form/plan-parts.tsx'
import { planReason, StartPage } from '../../run-form/start-page.tsx'
import { usePlan } from '../../run-form/use-plan.ts'
import { ALL_SHELL_TASKS } from '../words.ts'
import { LEVELS, missingOf, NEW_GENERATION, problemsOf, requestOf, type GenerationForm } from './form.ts'
import { Generations } from './generations.tsx'

const KIND = 'shell-tasks-generate'
const PLANNED = { key: generationKeys.plan, ask: (body: GenerationDraft, signal: AbortSignal) => api.planShellGeneration({ body, signal }) }

/** `/arena/shell-tasks/new/generate` */
export default function Generate() {
  const [form, setForm] = useState<GenerationForm>(NEW_GENERATION)
  const offline = useOfflineReason()
  const set = (part: Partial<GenerationForm>) => setForm((now) => ({ ...now, ...part }))
  const request = useMemo(() => requestOf(form), [form])
  const problems = problemsOf(form)
  const { plan, error, isOld, again } = usePlan(request, PLANNED)
  const wants = missingOf(form) ?? Object.values(problems)[0] ?? null
  const job = useJobOf(
    KIND,
    (what: { body: GenerationDraft } | { resume: string }) =>
      confirmed(() =>
        'body' in what ? api.generateShellTasks({ body: what.body }) : api.resumeShellGeneration({ params: { id: what.resume }, body: {} }),
      ),
    "Couldn't start the generation",
  )
  const number = (name: keyof GenerationForm, label: string, hint: string) => (
    <NumberRow
      label={label}
      hint={hint}
      error={problems[name]}
      value={form[name]}
      placeholder={NEW_GENERATION[name] || 'none'}
      onChange={(value) => set({ [name]: value })}
    />
  )
  return (
    <StartPage
      title="Generate shell tasks"
      about={
        <>
          A model writes tasks after pairs of those you have. Kept is what repeats nothing, is valid and was solved.{' '}
          <TextLink href={ALL_SHELL_TASKS.href}>{ALL_SHELL_TASKS.label}</TextLink>
        </>
      }
      plan={
        <PlanState
          plan={plan}
          error={error}
          retry={again}
          isOld={isOld}
          wants={wants === null ? null : `${wants} Then you see here what would be sent, and who pays.`}
        >
          {(known) => <PlanParts plan={known} />}
        </PlanState>
      }
      isOld={plan !== null && isOld}
      start={{
        label: 'Start generation',
        failed: 'The generation failed',
        error: job.error,
        isBusy: job.busy,
        go: () => request && job.start({ body: request }),
      }}
      reason={offline ?? wants ?? error?.message ?? planReason(plan, isOld)}
    >
      {job.running ? (
        <JobLine
          name="Generation"
          sentence={progressSentence(job.running)}
          share={progressShare(job.running)}
          actions={
            <Button size="small" reason={offline} onClick={job.cancel}>
              Stop
            </Button>
          }
        />
      ) : null}
      <ModelChoice form={form} problems={problems} set={set} />
      <section aria-label="How many">
        {LEVELS.map(({ name, key }) => (
          <div key={key}>{number(name, `Difficulty ${key}`, 'Tasks that are wanted.')}</div>
        ))}
        {number('rollouts', 'Tries at each task', 'At least half of them must solve it.')}
      </section>
      <section aria-label="Budget">
        {number('maxTokens', 'Tokens of all', 'Never exceeded. Empty: no limit.')}
        {number('maxCostUsd', 'Cost of all', 'US dollars, never exceeded. Empty: no limit. Needs a model whose price is known.')}
      </section>
      <section aria-label="Splits">
        <TextRow
          label="Examples from"
          hint="The split whose tasks the model is shown."
          error={problems.seeds}
          mono
          value={form.seeds}
          onChange={(seeds) => set({ seeds })}
        />
        <TextRow
          label="Into split"
          hint="Where new tasks go."
          error={problems.split}
          mono
          value={form.split}
          onChange={(split) => set({ split })}
        />
      </section>
      <Generations asOf={`${job.job?.id} ${job.job?.state}`} isBusy={job.busy} resume={(id) => job.start({ resume: id })} />
    </StartPage>
  )
}

function PlanParts({ plan: { model, payer, solver, wanted, tokens, costUsd, prompts, refusals } }: { plan: ShellGenerationPlan }) {
  return (
    <>
      <Refusals refusals={refusals} />
      <Part title="How much">
        <p>{plural(wanted, 'task')}.</p>
        <p className="text-second">
          About {formatCompact(tokens.input)} tokens in and {formatCompact(tokens.output)} out,{' '}
          {costUsd === null ? 'of unknown cost' : formatUsd(costUsd)}. An estimate.
        </p>
      </Part>
      <Part title="Who pays">
        <p className="break-words">{payer}</p>
        <p className="text-second">
          {model ?? 'The model of the endpoint'} writes, {solver.model ?? 'the same'} tries.
        </p>
      </Part>
      <Part title="First requests">
        {prompts.map(({ difficulty, system, prompt }) => (
          <details key={difficulty}>
            <summary className="cursor-pointer">Exact text, difficulty {difficulty}</summary>
            <CodeBlock label={`request of difficulty ${difficulty}`} text={`${system}\n\n${prompt}`} wrap className="max-h-80" />
          </details>
        ))}
      </Part>
    </>
  )
}
