import { useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type BatchDraft, batchKeys, useStartBatch } from '#renderer/api/batches.ts'
import { api } from '#renderer/api/client.ts'
import { batchHref } from '#renderer/app/links.ts'
import { useChosenSessions } from '#renderer/stores/chosen-sessions.ts'
import { useIdempotencyKey, usePlan } from '#renderer/app/use-plan.ts'
import { TextRow } from '#renderer/ui/form-rows.tsx'
import { Fold } from '#renderer/ui/fold.tsx'
import { AgentChoice } from '#renderer/app/run-form/agent-choice.tsx'
import { ContextChoice, contextWord, LimitsFold, SandboxFold } from '#renderer/app/run-form/limits.tsx'
import { numberRows } from '#renderer/app/run-form/number-rows.tsx'
import { RedactRow } from '#renderer/app/run-form/redact-row.tsx'
import { StartPage } from '#renderer/app/run-form/start-page.tsx'
import { ALL_BATCHES } from '../all-batches.ts'
import { BatchPlanParts } from './batch-plan.tsx'
import { type BatchForm, missingOf, NEW_BATCH, problemsOf, readLines, requestOf } from './form.ts'
import { TaskSource } from './task-source.tsx'

const PLAN = { key: batchKeys.plan, ask: (body: BatchDraft, signal: AbortSignal) => api.planBatch({ body, signal }) }

/** `/agents/batches/new`. `?q=` repeats the sessions of a filter, `?from=selection` the selected ones. */
export default function NewBatch() {
  const search = new URLSearchParams(useSearch())
  const query = search.get('q')
  const [form, setForm] = useState<BatchForm>(() => ({
    ...NEW_BATCH,
    ...(query !== null && { source: 'filter', query }),
    ...(search.get('from') === 'selection' && { source: 'selection' }),
  }))
  const selectedIds = useChosenSessions((state) => state.ids)
  const [, go] = useLocation()
  const set = (part: Partial<BatchForm>) => setForm((now) => ({ ...now, ...part }))
  const lines = useMemo(() => readLines({ lines: form.lines, folder: form.folder }), [form.lines, form.folder])
  const request = requestOf(form, lines, selectedIds)
  const problems = problemsOf(form, lines)
  const idempotencyKey = useIdempotencyKey(request)
  const start = useStartBatch(({ id }) => go(batchHref(id)))
  const planned = usePlan(request, PLAN)
  const run = { form, problems, set }
  const number = numberRows({ ...run, defaults: NEW_BATCH })
  return (
    <StartPage
      title="New batch"
      about="Each attempt at a task is its own run, in a sandbox on a copy of the folder. Your repositories are not changed."
      all={ALL_BATCHES}
      planned={planned}
      refusable={({ plan }) => plan}
      wants={missingOf(form, lines, selectedIds.length) ?? Object.values(problems)[0] ?? null}
      shows="The plan then shows how much will run and who pays."
      parts={(batch) => <BatchPlanParts form={form} lines={lines} batch={batch} />}
      start={{
        ...start,
        label: 'Start batch',
        failed: "Couldn't start the batch",
        go: () => request && start.mutate({ ...request, idempotencyKey }),
      }}
    >
      <TaskSource form={form} lines={lines} selectedCount={selectedIds.length} set={set} />
      <AgentChoice {...run} />
      <RedactRow form={form} plan={planned.plan?.plan.redaction} set={set} />
      <section aria-label="How much">
        {number('attempts', 'Attempts per task', 'More attempts give a narrower interval of the pass rate.')}
        {number('concurrency', 'Runs at a time', 'Also limited by how many sandboxes may run at once.')}
        {number(
          'maxCostUsd',
          'Cost limit',
          'US dollars. No more runs are started once it is reached. Empty: no limit. Needs a model with a known price.',
        )}
      </section>
      <section aria-label="More settings" className="flex flex-col">
        <LimitsFold {...run} title="Limits of each run" />
        <Fold title="Context and checks" summary={contextWord(form)} hasProblem={problems.checkTimeoutSec !== undefined}>
          <div className="py-3">
            <ContextChoice {...run} />
          </div>
          {number('checkTimeoutSec', 'Time limit of the checks', 'Seconds. Checks that take longer have no result.')}
        </Fold>
        <SandboxFold {...run} />
        <Fold title="Name" summary={form.name.trim() === '' ? 'number of tasks' : form.name}>
          <TextRow label="Name" hint="Name of the batch in lists." value={form.name} onChange={(name) => set({ name })} />
        </Fold>
      </section>
    </StartPage>
  )
}
