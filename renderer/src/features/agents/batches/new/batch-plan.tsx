import type { BatchPlan } from '#contracts/entities/batch.ts'
import { TASK_AGENTS } from '#renderer/app/words/tasks.ts'
import { formatDuration, formatUsd, plural } from '#renderer/ui/format.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import {
  AgentPart,
  ChecksPart,
  Part,
  PayerPart,
  PrivacyPart,
  Refusals,
  RepositoryPart,
  SetUpPart,
} from '#renderer/app/run-form/plan-parts.tsx'
import { optionalNumber } from '#renderer/app/run-form/form.ts'
import type { BatchForm, ReadLines } from './form.ts'

/** The plan of a batch: its size, who pays, and how its tasks start. */
export function BatchPlanParts({ form, lines, batch }: { form: BatchForm; lines: ReadLines; batch: BatchPlan }) {
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
        <p className="text-second">{costLimitSentence(form, attempts)}</p>
      </Part>
      <PayerPart plan={plan} />
      <PrivacyPart privacy={plan.privacy} />
      {form.source === 'lines' ? (
        <>
          <FoldersPart folders={batch.folders} lines={lines} />
          {tasks > 1 ? <p className="text-second">For the first task (other tasks may differ):</p> : null}
          <RepositoryPart repository={plan.repository} hasFolder={batch.folders.length > 0} />
          <SetUpPart setup={plan.setup} />
          <ChecksPart checks={plan.checks} checksLack={plan.checksLack} remedy="Give its line a “verify”." />
        </>
      ) : (
        <Part title="Repository">
          <p className="text-second">
            Each run starts from the newest commit before its session. Sessions without such a commit are reported after the start.
          </p>
        </Part>
      )}
      <AgentPart plan={plan} selectedAgent={form.agent} />
    </>
  )
}

const MAX_LINES = 3

/** Every folder that is copied, because the lines may be a stranger's. */
const FoldersPart = ({ folders, lines: { lineOf } }: Pick<BatchPlan, 'folders'> & { lines: ReadLines }) => (
  <Part title="Folders that will be copied">
    {folders.length === 0 ? <p className="text-second">None of this machine.</p> : null}
    <ul className="max-h-48 overflow-auto">
      {folders.map(({ folder, keys }) => (
        <li key={folder} className="break-all">
          <code className="font-mono text-xs">
            <Visible text={folder} />
          </code>{' '}
          <span className="text-second">
            line{keys.length === 1 ? '' : 's'}{' '}
            {keys
              .slice(0, MAX_LINES)
              .flatMap((key) => lineOf.get(key) ?? [])
              .join(', ')}
            {keys.length > MAX_LINES ? ` and ${keys.length - MAX_LINES} more` : ''}
          </span>
        </li>
      ))}
    </ul>
  </Part>
)

function Estimate({ form: { agent }, batch: { estimate, plan } }: { form: BatchForm; batch: BatchPlan }) {
  const { runs, costUsd, ms } = estimate
  if (runs === 0)
    return (
      <p className="text-second">
        No estimate: no run of {TASK_AGENTS[agent].label} with {plan.model ?? 'this model'} has ended yet. A batch of one task would provide
        one.
      </p>
    )
  const parts = [costUsd === null ? null : formatUsd(costUsd), ms === null ? null : formatDuration(ms)].filter((part) => part !== null)
  return (
    <p>
      {parts.length === 0 ? 'Neither cost nor time is known' : `About ${parts.join(' and ')}`}
      {costUsd === null && ms !== null ? ', at an unknown cost,' : ','} if each run is like the median of {plural(runs, 'earlier run')} of{' '}
      {TASK_AGENTS[agent].label} with {plan.model ?? 'this model'}.
    </p>
  )
}

/** The most that the batch can cost, from the limits for the batch and for each attempt. */
function costLimitSentence(form: BatchForm, attempts: number): string {
  const [batchLimit, attemptLimit] = [optionalNumber(form.maxCostUsd), optionalNumber(form.costUsd)]
  const limits = [batchLimit, attemptLimit === null ? null : attemptLimit * attempts].filter((one) => one !== null)
  return limits.length === 0 ? 'No cost limit is set.' : `At most ${formatUsd(Math.min(...limits))} in total.`
}
