import type { BatchPlan } from '#contracts/entities/batch.ts'
import { TASK_AGENTS } from '#renderer/app/words/tasks.ts'
import { formatDuration, formatUsd, plural } from '#renderer/ui/format.ts'
import { AgentPart, ChecksPart, Part, PayerPart, Refusals, RepositoryPart, SetUpPart } from '../../run-form/plan-parts.tsx'
import { optionalNumber } from '../../run-form/form.ts'
import type { BatchForm } from './form.ts'

/** How much a batch would be, who pays, and how its tasks begin. */
export function BatchPlanParts({ form, batch }: { form: BatchForm; batch: BatchPlan }) {
  const { plan, tasks } = batch
  const attempts = tasks * Number(form.attempts)
  return (
    <>
      <Refusals refusals={plan.refusals} />
      <Part title="How much">
        <p>
          {plural(tasks, form.source === 'lines' ? 'task' : 'session')}, {plural(Number(form.attempts), 'attempt')} each:{' '}
          {plural(attempts, 'run')}, {form.concurrency} at a time.
        </p>
        <Estimate form={form} batch={batch} />
        <p className="text-second">{mostOf(form, attempts)}</p>
      </Part>
      <PayerPart plan={plan} />
      {form.source === 'lines' ? (
        <>
          {tasks > 1 ? <p className="text-second">For the first task (other tasks may differ):</p> : null}
          <RepositoryPart repository={plan.repository} />
          <SetUpPart setup={plan.setup} />
          <ChecksPart checks={plan.checks} remedy="Give its line a “verify”." />
        </>
      ) : (
        <Part title="Repository">
          <p className="text-second">
            Each run starts from the newest commit before its session. Sessions without one are found once the batch has started.
          </p>
        </Part>
      )}
      <AgentPart plan={plan} chosen={form.agent} />
    </>
  )
}

function Estimate({ form: { agent }, batch: { estimate, plan } }: { form: BatchForm; batch: BatchPlan }) {
  const { runs, costUsd, ms } = estimate
  if (runs === 0)
    return (
      <p className="text-second">
        There is no estimate: no run of {TASK_AGENTS[agent].label} with {plan.model ?? 'this model'} has ended yet. A batch of one task
        would make one.
      </p>
    )
  const parts = [costUsd === null ? null : formatUsd(costUsd), ms === null ? null : formatDuration(ms)].filter((part) => part !== null)
  return (
    <p>
      {parts.length === 0 ? 'Neither cost nor time is known' : `About ${parts.join(' and ')}`}
      {costUsd === null && ms !== null ? ', at a cost that is not known,' : ','} if each is like the median of {plural(runs, 'earlier run')}{' '}
      of {TASK_AGENTS[agent].label} with {plan.model ?? 'this model'}.
    </p>
  )
}

/** The most that the batch can cost. */
function mostOf(form: BatchForm, attempts: number): string {
  const [all, each] = [optionalNumber(form.maxCostUsd), optionalNumber(form.costUsd)]
  const bounds = [all, each === null ? null : each * attempts].filter((one) => one !== null)
  return bounds.length === 0 ? 'No cost limit is set.' : `At most ${formatUsd(Math.min(...bounds))} in all.`
}
