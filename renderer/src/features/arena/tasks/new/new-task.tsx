import { useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { type TaskDraft, taskKeys, useStartTask, useTask } from '#renderer/api/tasks.ts'
import { taskHref } from '#renderer/app/links.ts'
import { TextArea } from '#renderer/ui/field.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { NotRead } from '#renderer/ui/not-read.tsx'
import { useTitle } from '#renderer/ui/page.tsx'
import { Loading, Skeleton } from '#renderer/ui/states.tsx'
import { AgentChoice } from '../../run-form/agent-choice.tsx'
import { AgentPart, ChecksPart, PayerPart, PlanState, Refusals, RepositoryPart, SetUpPart } from '../../run-form/plan-parts.tsx'
import { planReason, StartPage } from '../../run-form/start-page.tsx'
import { usePlan } from '../../run-form/use-plan.ts'
import { ALL_TASKS } from '../all-tasks.ts'
import { formOf, missingOf, NEW_TASK, problemsOf, requestOf, type TaskForm } from './form.ts'
import { MoreFields } from './more-fields.tsx'
import { SourceChoice } from './source-choice.tsx'

/** A new run of an agent, an empty form or that of a run before (`?from=`). */
export default function NewTask() {
  useTitle('New task')
  const search = new URLSearchParams(useSearch())
  const from = search.get('from')
  const before = useTask(from ?? '')
  if (from === null) return <Form start={{ ...NEW_TASK, directory: search.get('directory') ?? '' }} />
  if (before.error) return <NotRead what="task to repeat" error={before.error} retry={() => void before.refetch()} all={ALL_TASKS} />
  if (!before.data) {
    return (
      <Loading label="Loading the task to repeat" className="flex flex-col gap-4 p-6">
        <Skeleton className="h-6 w-48" />
        <Skeleton className="h-64 w-full" />
      </Loading>
    )
  }
  return <Form key={from} start={formOf(before.data.request)} />
}

const PLANNED = { key: taskKeys.plan, ask: (body: TaskDraft, signal: AbortSignal) => api.planTask({ body, signal }) }

function Form({ start }: { start: TaskForm }) {
  const [form, setForm] = useState(start)
  const [, go] = useLocation()
  const offline = useOfflineReason()
  const set = (part: Partial<TaskForm>) => setForm((now) => ({ ...now, ...part }))
  const request = useMemo(() => requestOf(form), [form])
  const problems = problemsOf(form)
  const problem = Object.values(problems)[0] ?? null
  // the words of the prompt change nothing about the plan, which is there before they are written
  const plannable = useMemo(() => ({ ...form, prompt: 'to be written', title: '' }), [form])
  const { plan, error, isOld, again } = usePlan(
    useMemo(() => requestOf(plannable), [plannable]),
    PLANNED,
  )
  const wants = missingOf(plannable) ?? problem
  // the same form started twice is one run; a form that has changed is another
  const text = JSON.stringify(request)
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new key for each request
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [text])
  const { error: failure, isPending, mutate } = useStartTask(({ id }) => go(taskHref(id)))
  return (
    <StartPage
      title="New task"
      about={
        <>
          The agent works on a copy in a sandbox. Your repository changes only when you hand the result back.{' '}
          <TextLink href={ALL_TASKS.href}>{ALL_TASKS.label}</TextLink>
        </>
      }
      plan={
        <PlanState
          plan={plan}
          error={error}
          retry={again}
          isOld={isOld}
          wants={wants === null ? null : `${wants} Then you see here who pays, what is set up, and which checks will run.`}
        >
          {({ refusals, repository, setup, checks, ...rest }) => (
            <>
              <Refusals refusals={refusals} />
              <PayerPart plan={rest} />
              <RepositoryPart repository={repository} />
              <SetUpPart setup={setup} />
              <ChecksPart checks={checks} remedy="Name a command under “Checks and set-up”." />
              <AgentPart plan={rest} chosen={form.agent} />
            </>
          )}
        </PlanState>
      }
      isOld={plan !== null && isOld}
      start={{
        label: 'Start task',
        failed: "Couldn't start the task",
        error: failure,
        isBusy: isPending,
        go: () => request && mutate({ ...request, idempotencyKey }),
      }}
      reason={offline ?? missingOf(form) ?? problem ?? error?.message ?? planReason(plan, isOld)}
    >
      <div className="flex flex-col gap-1">
        <label htmlFor="task-prompt" className="text-sm font-semibold">
          Task
        </label>
        <TextArea
          id="task-prompt"
          rows={6}
          placeholder="What is to be done, and how you will know that it is done. The agent is told the command that checks its work."
          value={form.prompt}
          onChange={(prompt) => set({ prompt })}
        />
      </div>
      <SourceChoice form={form} problems={problems} set={set} />
      <AgentChoice form={form} problems={problems} set={set} />
      <MoreFields form={form} problems={problems} set={set} />
    </StartPage>
  )
}
