import { useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useStartTask, useTask } from '#renderer/api/tasks.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { taskHref } from '#renderer/app/links.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextArea } from '#renderer/ui/field.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { NotRead } from '#renderer/ui/not-read.tsx'
import { useTitle } from '#renderer/ui/page.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { ALL_TASKS } from '../all-tasks.ts'
import { AgentChoice } from './agent-choice.tsx'
import { formOf, missingOf, NEW_TASK, problemsOf, requestOf, type TaskForm } from './form.ts'
import { MoreFields } from './more-fields.tsx'
import { PlanRail } from './plan-rail.tsx'
import { SourceChoice } from './source-choice.tsx'
import { usePlan } from './use-plan.ts'

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
  const { plan, error, isOld, again } = usePlan(useMemo(() => requestOf(plannable), [plannable]))
  // the same form started twice is one run; a form that has changed is another
  const text = JSON.stringify(request)
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new key for each request
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [text])
  const startTask = useStartTask(({ id }) => go(taskHref(id)))
  const refusal = plan?.refusals[0] ?? null
  const reason =
    offline ??
    missingOf(form) ??
    problem ??
    error?.message ??
    (refusal === null ? null : [refusal.message, refusal.hint].filter(Boolean).join(' ')) ??
    (plan === null || isOld ? 'The plan is still being made.' : null)
  const begin = () => {
    if (request && reason === null && !startTask.isPending) startTask.mutate({ ...request, idempotencyKey })
  }
  useKeys({ submit: begin })
  return (
    <div className="flex min-h-0 flex-1">
      <div className="min-h-0 min-w-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex max-w-[820px] flex-col gap-5 px-6 py-5">
          <header>
            <h1 className="text-xl font-semibold">New task</h1>
            <p className="text-sm text-second">
              The agent works on a copy in a sandbox. Your repository changes only when you hand the result back.{' '}
              <TextLink href={ALL_TASKS.href}>{ALL_TASKS.label}</TextLink>
            </p>
          </header>
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
        </div>
      </div>
      <aside aria-label="Plan" className="flex w-[340px] shrink-0 flex-col border-l border-line bg-panel max-[1100px]:w-[300px]">
        <div
          role="region"
          aria-label="What this task would do"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
          tabIndex={0}
          className="focus-inset flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4"
        >
          <h2 className="text-lg font-semibold">
            Plan {plan && isOld ? <span className="text-xs font-normal text-second">updating</span> : null}
          </h2>
          <PlanRail agent={form.agent} plan={plan} error={error} retry={again} isOld={isOld} wants={missingOf(plannable) ?? problem} />
        </div>
        <div className="flex flex-col gap-2 border-t border-line p-4">
          {startTask.error ? <ErrorState title="Couldn't start the task" error={startTask.error} /> : null}
          {reason === null ? null : <p className="line-clamp-3 text-xs text-second">{reason}</p>}
          <Button look="primary" keys={keyOf('submit')} reason={reason} busy={startTask.isPending} onClick={begin}>
            Start task
          </Button>
        </div>
      </aside>
    </div>
  )
}
