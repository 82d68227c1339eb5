import { useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type BatchDraft, batchKeys, useStartBatch } from '#renderer/api/batches.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { batchHref } from '#renderer/app/links.ts'
import { useChosenSessions } from '#renderer/stores/chosen-sessions.ts'
import { NumberRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { Fold } from '../../create-fold.tsx'
import { AgentChoice } from '../../run-form/agent-choice.tsx'
import { ContextChoice, contextWord, LimitsFold, RunNumber, SandboxFold } from '../../run-form/limits.tsx'
import { PlanState } from '../../run-form/plan-parts.tsx'
import { planReason, StartPage } from '../../run-form/start-page.tsx'
import { usePlan } from '../../run-form/use-plan.ts'
import { ALL_BATCHES } from '../all-batches.ts'
import { BatchPlanParts } from './batch-plan.tsx'
import { type BatchForm, missingOf, NEW_BATCH, problemsOf, readLines, requestOf } from './form.ts'
import { TaskSource } from './task-source.tsx'

const PLANNED = { key: batchKeys.plan, ask: (body: BatchDraft, signal: AbortSignal) => api.planBatch({ body, signal }) }

/** `/arena/batches/new`, with the sessions of a filter (`?q=`) or those selected (`?from=selection`) to be done again. */
export default function NewBatch() {
  const search = new URLSearchParams(useSearch())
  const query = search.get('q')
  const [form, setForm] = useState<BatchForm>(() => ({
    ...NEW_BATCH,
    ...(query !== null && { source: 'filter', query }),
    ...(search.get('from') === 'selection' && { source: 'selection' }),
  }))
  const chosen = useChosenSessions((state) => state.ids)
  const [, go] = useLocation()
  const offline = useOfflineReason()
  const set = (part: Partial<BatchForm>) => setForm((now) => ({ ...now, ...part }))
  const lines = useMemo(() => readLines({ lines: form.lines, folder: form.folder }), [form.lines, form.folder])
  const request = useMemo(() => requestOf(form, lines, chosen), [form, lines, chosen])
  const problems = problemsOf(form, lines)
  const problem = Object.values(problems)[0] ?? null
  const missing = missingOf(form, lines, chosen.length)
  const { plan: batch, error, isOld, again } = usePlan(request, PLANNED)
  const wants = missing ?? problem
  // the same form started twice is one batch; a form that has changed is another
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new key for each request
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [request])
  const { error: failure, isPending, mutate } = useStartBatch(({ id }) => go(batchHref(id)))
  const run = { form, problems, set }
  return (
    <StartPage
      title="New batch"
      about={
        <>
          Each attempt at a task is a run of its own, in a sandbox on a copy. Your repositories are not changed.{' '}
          <TextLink href={ALL_BATCHES.href}>{ALL_BATCHES.label}</TextLink>
        </>
      }
      plan={
        <PlanState
          plan={batch}
          error={error}
          retry={again}
          isOld={isOld}
          wants={wants === null ? null : `${wants} Then you see here how much it would be, and who pays.`}
        >
          {(known) => <BatchPlanParts form={form} batch={known} />}
        </PlanState>
      }
      isOld={batch !== null && isOld}
      start={{
        label: 'Start batch',
        failed: "Couldn't start the batch",
        error: failure,
        isBusy: isPending,
        go: () => request && mutate({ ...request, idempotencyKey }),
      }}
      reason={offline ?? wants ?? error?.message ?? planReason(batch?.plan ?? null, isOld)}
    >
      <TaskSource form={form} lines={lines} chosen={chosen.length} set={set} />
      <AgentChoice {...run} />
      <section aria-label="How much">
        <NumberRow
          label="Attempts"
          hint="Of each task. More of them tell better how often it is solved."
          error={problems.attempts}
          value={form.attempts}
          placeholder={NEW_BATCH.attempts}
          onChange={(attempts) => set({ attempts })}
        />
        <NumberRow
          label="Runs at a time"
          hint="Also limited by how many sandboxes the Arena may run at once."
          error={problems.concurrency}
          value={form.concurrency}
          placeholder={NEW_BATCH.concurrency}
          onChange={(concurrency) => set({ concurrency })}
        />
        <NumberRow
          label="Cost limit"
          hint="US dollars. No more runs are started once it is reached. Empty: no limit. Needs a model with a known price."
          error={problems.maxCostUsd}
          value={form.maxCostUsd}
          placeholder="none"
          onChange={(maxCostUsd) => set({ maxCostUsd })}
        />
      </section>
      <section aria-label="More settings" className="flex flex-col">
        <LimitsFold {...run} title="Limits of each run" />
        <Fold title="Context and checks" summary={contextWord(form)} hasProblem={problems.checkTimeoutSec !== undefined}>
          <div className="py-3">
            <ContextChoice {...run} />
          </div>
          <RunNumber {...run} name="checkTimeoutSec" label="Time limit of the checks" hint="Seconds. What takes longer has no result." />
        </Fold>
        <SandboxFold {...run} />
        <Fold title="Name" summary={form.name.trim() === '' ? 'how many tasks it has' : form.name}>
          <TextRow label="Name" hint="How the batch is listed." value={form.name} onChange={(name) => set({ name })} />
        </Fold>
      </section>
    </StartPage>
  )
}
