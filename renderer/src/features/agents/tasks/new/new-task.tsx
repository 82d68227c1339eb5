import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { api } from '#renderer/api/client.ts'
import { type TaskDraft, taskKeys, useStartTask, useTask } from '#renderer/api/tasks.ts'
import { taskHref } from '#renderer/app/links.ts'
import { useIdempotencyKey, usePlan } from '#renderer/app/use-plan.ts'
import { TextArea } from '#renderer/ui/field.tsx'
import { FetchedPage } from '#renderer/ui/fetched.tsx'
import { useTitle } from '#renderer/ui/page.tsx'
import { AgentChoice } from '#renderer/app/run-form/agent-choice.tsx'
import { AgentPart, ChecksPart, PayerPart, PrivacyPart, Refusals, RepositoryPart, SetUpPart } from '#renderer/app/run-form/plan-parts.tsx'
import { RedactRow } from '#renderer/app/run-form/redact-row.tsx'
import { StartPage } from '#renderer/app/run-form/start-page.tsx'
import { ALL_TASKS } from '../all-tasks.ts'
import { formOf, missingOf, NEW_TASK, problemsOf, requestOf, type TaskForm } from './form.ts'
import { MoreFields } from './more-fields.tsx'
import { SourceChoice } from './source-choice.tsx'

/** The form for a new task. `?from=` fills it in from an earlier task. */
export default function NewTask() {
  useTitle('New task')
  const search = new URLSearchParams(useSearch())
  const from = search.get('from')
  const source = useTask(from ?? '')
  if (from === null) return <Form start={{ ...NEW_TASK, directory: search.get('directory') ?? '' }} />
  return (
    <FetchedPage query={source} what="task to repeat" all={ALL_TASKS}>
      {({ request }) => <Form key={from} start={formOf(request)} />}
    </FetchedPage>
  )
}

const PLAN = { key: taskKeys.plan, ask: (body: TaskDraft, signal: AbortSignal) => api.planTask({ body, signal }) }

function Form({ start: initial }: { start: TaskForm }) {
  const [form, setForm] = useState(initial)
  const [, go] = useLocation()
  const set = (part: Partial<TaskForm>) => setForm((now) => ({ ...now, ...part }))
  const request = requestOf(form)
  const problems = problemsOf(form)
  const problem = Object.values(problems)[0] ?? null
  // the plan does not depend on the prompt or the title, so it can be made before they are typed
  const plannable = { ...form, prompt: 'to be written', title: '' }
  const planned = usePlan(requestOf(plannable), PLAN)
  const idempotencyKey = useIdempotencyKey(request)
  const hasFolder = form.source === 'folder' && form.directory.trim() !== ''
  const start = useStartTask(({ id }) => go(taskHref(id)))
  return (
    <StartPage
      title="New task"
      about="The agent works on a copy in a sandbox. Your repository changes only when you hand the result back."
      all={ALL_TASKS}
      planned={planned}
      refusable={(plan) => plan}
      missing={missingOf(form)}
      wants={missingOf(plannable) ?? problem}
      shows="The plan then shows who pays, what is set up, and which checks will run."
      parts={({ refusals, repository, setup, checks, ...plan }) => (
        <>
          <Refusals refusals={refusals} />
          <PayerPart plan={plan} />
          <PrivacyPart privacy={plan.privacy} />
          <RepositoryPart repository={repository} hasFolder={hasFolder} />
          <SetUpPart setup={setup} />
          <ChecksPart checks={checks} checksLack={plan.checksLack} remedy="Name a command under “Checks and set-up”." />
          <AgentPart plan={plan} selectedAgent={form.agent} />
        </>
      )}
      start={{
        ...start,
        label: 'Start task',
        failed: "Couldn't start the task",
        go: () => request && start.mutate({ ...request, idempotencyKey }),
      }}
    >
      <div className="flex flex-col gap-1">
        <label htmlFor="task-prompt" className="text-sm font-semibold">
          Task
        </label>
        <TextArea
          id="task-prompt"
          rows={6}
          placeholder="What to do, and how to tell that it is done. The agent sees the command that checks its work."
          value={form.prompt}
          onChange={(prompt) => set({ prompt })}
        />
      </div>
      <SourceChoice
        form={form}
        problems={problems}
        set={set}
        isPlainFolder={hasFolder && planned.plan?.repository === null && planned.plan.refusals.length === 0}
      />
      <AgentChoice form={form} problems={problems} set={set} />
      <RedactRow form={form} plan={planned.plan?.redaction} set={set} />
      <MoreFields form={form} problems={problems} set={set} />
    </StartPage>
  )
}
