import { useState } from 'react'
import type { ShellGenerationPlan } from '#contracts/entities/shell-generation.ts'
import { api } from '#renderer/api/client.ts'
import { type GenerationDraft, generationKeys } from '#renderer/api/shell-generations.ts'
import { useJobOf } from '#renderer/api/use-job.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { usePlan } from '#renderer/app/use-plan.ts'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { formatCompact, formatUsd, plural } from '#renderer/ui/format.ts'
import { TextRow } from '#renderer/ui/form-rows.tsx'
import { ModelChoice } from '#renderer/app/run-form/agent-choice.tsx'
import { missingOfRun } from '#renderer/app/run-form/form.ts'
import { numberRows } from '#renderer/app/run-form/number-rows.tsx'
import { Part, Refusals } from '#renderer/app/run-form/plan-parts.tsx'
import { StartPage } from '#renderer/app/run-form/start-page.tsx'
import { ALL_SHELL_TASKS } from '../words.ts'
import { LEVELS, NEW_GENERATION, problemsOf, requestOf, type GenerationForm } from './form.ts'
import { Generations } from './generations.tsx'

const KIND = 'shell-tasks-generate'
const PLAN = { key: generationKeys.plan, ask: (body: GenerationDraft, signal: AbortSignal) => api.planShellGeneration({ body, signal }) }

/** `/shell-tasks/new/generate` */
export default function Generate() {
  const [form, setForm] = useState<GenerationForm>(NEW_GENERATION)
  const set = (part: Partial<GenerationForm>) => setForm((now) => ({ ...now, ...part }))
  const request = requestOf(form)
  const problems = problemsOf(form)
  const job = useJobOf(
    KIND,
    (action: { body: GenerationDraft } | { resume: string }) =>
      'body' in action
        ? api.generateShellTasks({ body: action.body })
        : api.resumeShellGeneration({ params: { id: action.resume }, body: {} }),
    "Couldn't start the generation",
  )
  const number = numberRows({ form, defaults: NEW_GENERATION, problems, set })
  return (
    <StartPage
      title="Generate shell tasks"
      about="A model writes new tasks from pairs of existing ones. A task is kept if it is valid, solvable and no near duplicate."
      all={ALL_SHELL_TASKS}
      planned={usePlan(request, PLAN)}
      refusable={(plan) => plan}
      wants={missingOfRun(form) ?? Object.values(problems)[0] ?? null}
      shows="The plan then shows what will be sent and who pays."
      parts={(plan) => <PlanParts plan={plan} />}
      start={{
        label: 'Start generation',
        failed: 'The generation failed',
        error: job.error,
        isPending: job.busy,
        go: () => request && job.start({ body: request }),
      }}
    >
      {job.running ? <JobProgress name="Generation" job={job.running} /> : null}
      <ModelChoice form={form} problems={problems} set={set} />
      <section aria-label="How many">
        {LEVELS.map(({ name, key }) => number(name, `Difficulty ${key}`, 'Tasks to generate.'))}
        {number('rollouts', 'Attempts per task', 'At least half of them must solve it.')}
      </section>
      <section aria-label="Budget">
        {number('maxTokens', 'Token limit', 'Never exceeded. Empty: no limit.')}
        {number('maxCostUsd', 'Cost limit', 'US dollars, never exceeded. Empty: no limit. Needs a model whose price is known.')}
      </section>
      <section aria-label="Splits">
        <TextRow
          label="Examples from"
          hint="The split with the tasks that the model sees."
          error={problems.seeds}
          mono
          value={form.seeds}
          onChange={(seeds) => set({ seeds })}
        />
        <TextRow
          label="Into split"
          hint="The split for new tasks."
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
          {model ?? 'The model of the endpoint'} writes the tasks, {solver.model ?? 'the same model'} tries them.
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
