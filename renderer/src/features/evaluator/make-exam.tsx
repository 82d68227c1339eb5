import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { z } from 'zod'
import { Exam, type ExamKind, type ExamPlan, type ExamRequest } from '#contracts/entities/exam.ts'
import { signed } from '#contracts/exam-words.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { examKeys } from '#renderer/api/exams.ts'
import { useJobOf } from '#renderer/api/use-job.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { examHref } from '#renderer/app/links.ts'
import { usePlan } from '#renderer/app/use-plan.ts'
import { Choices } from '#renderer/ui/choices.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { NumberRow, SwitchRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { ErrorState } from '#renderer/ui/states.tsx'

type Body = z.input<typeof ExamRequest>

const KINDS = [
  { value: 'next_calls', label: 'Next calls', meaning: 'Recorded calls, one request each: enough items for a verdict.' },
  {
    value: 'solved_tasks',
    label: 'Solved tasks',
    meaning: 'Sessions whose work can be done again: agents do it in sandboxes, and tests that they never see decide.',
  },
] as const satisfies readonly { value: ExamKind; label: string; meaning: string }[]

const PLAN = { key: examKeys.plan, ask: (body: Body, signal: AbortSignal) => api.planExam({ body, signal }) }

export function MakeExam({ unseenBy, onClose }: { unseenBy: string | null; onClose: () => void }) {
  const [form, setForm] = useState({
    kind: 'next_calls' as ExamKind,
    name: '',
    query: '',
    share: '',
    unverified: false,
    unseen: unseenBy !== null,
  })
  const set = (part: Partial<typeof form>) => setForm((now) => ({ ...now, ...part }))
  const [, go] = useLocation()
  const offline = useOfflineReason()
  /** Hides an exam that was made before the dialog was opened. */
  const [isStarted, setStarted] = useState(false)
  const share = form.share.trim() === '' ? null : Number(form.share) / 100
  const isShare = share === null || (share > 0 && share <= 1)
  const body: Body | null = isShare
    ? {
        kind: form.kind,
        unverified: form.unverified,
        ...(form.name.trim() !== '' && { name: form.name.trim() }),
        ...(form.query.trim() !== '' && { query: form.query.trim() }),
        ...(share !== null && { share }),
        ...(form.unseen && unseenBy !== null && { unseenBy }),
      }
    : null
  const isTasks = form.kind === 'solved_tasks'
  const planned = usePlan(body, PLAN)
  const job = useJobOf('exam', (request: Body) => api.makeExam({ body: request }), "Couldn't make the exam")
  /** An exam of tasks is there, and shows its progress, while it is made. */
  const made = isStarted ? ((isTasks ? job.running?.subject : undefined) ?? Exam.safeParse(job.result).data?.id) : undefined
  const madeHref = made && (unseenBy === null || isTasks ? examHref(made) : `${examHref(made)}?model=${unseenBy}`)
  useEffect(() => {
    if (madeHref) go(madeHref, { replace: true })
  }, [go, madeHref])
  const reason =
    offline ?? (body === null ? 'Enter a share from 1 to 100.' : planned.plan?.sessions === 0 ? 'No session can be used.' : null)
  return (
    <FormDialog
      wide
      title="Make my exam"
      description="Its sessions, and everything near them, never enter a data set again."
      action="Make exam"
      reason={reason}
      busy={job.busy}
      onSubmit={() => {
        setStarted(true)
        if (body) job.start(body)
      }}
      onClose={onClose}
    >
      <Choices label="What it asks" value={form.kind} options={KINDS} onChange={(kind) => set({ kind })} />
      <TextRow label="Name" value={form.name} onChange={(name) => set({ name })} />
      <TextRow
        label="Sessions"
        mono
        hint={`A filter as in Traces, such as repo:shop tier:gold. Empty: ${isTasks ? 'all' : 'all good'} sessions.`}
        value={form.query}
        onChange={(query) => set({ query })}
      />
      <NumberRow
        label="Share"
        hint={
          isTasks
            ? 'Percent of them to try, always the same ones. Empty: 100.'
            : 'Percent of them to hold out, always the same ones. Empty: 20 of all sessions, or all that the filter matches.'
        }
        placeholder={form.query.trim() === '' && !isTasks ? '20' : '100'}
        value={form.share}
        error={isShare ? undefined : 'From 1 to 100.'}
        onChange={(text) => set({ share: text })}
      />
      <SwitchRow
        label="Also unverified sessions"
        hint={isTasks ? 'No check passed in them. Their tests are run all the same.' : 'Good by their score, but no check of them passed.'}
        checked={form.unverified}
        onChange={(unverified) => set({ unverified })}
      />
      {unseenBy === null ? null : (
        <SwitchRow
          label="Only what this model has not seen"
          hint="Leaves out the sessions that it was trained on. With them it would be refused."
          checked={form.unseen}
          onChange={(unseen) => set({ unseen })}
        />
      )}
      {planned.error ? <ErrorState title="Couldn't plan the exam" error={planned.error} retry={() => void planned.refetch()} /> : null}
      {planned.plan ? <Plan plan={planned.plan} /> : null}
      {isStarted && job.running ? <JobProgress name="Exam" job={job.running} /> : null}
      {isStarted && job.error ? <ErrorState title="Couldn't make the exam" error={job.error} /> : null}
    </FormDialog>
  )
}

const Plan = ({ plan: { kind, sessions, matching, leftOut, inDatasets, smallest, minSessions } }: { plan: ExamPlan }) => (
  <section aria-label="Plan" className="mt-3 flex flex-col gap-1 rounded border border-line bg-panel p-3 text-sm">
    <p>
      {formatCount(sessions)} of {plural(matching, 'session')} would be {kind === 'solved_tasks' ? 'tried' : 'held out'}.
      {kind === 'solved_tasks' ? ' Which of them can be done again is known only then: usually few.' : ''}
      {smallest === null ? '' : ` So many usually show a difference of ${signed(smallest)} or more.`}
    </p>
    {sessions < minSessions ? <p className="text-warn">Below {minSessions} sessions nothing can be proven.</p> : null}
    {inDatasets > 0 ? (
      <p className="text-warn">
        {plural(inDatasets, 'of them is', 'of them are')} in a data set: models that were trained on it will be refused.
      </p>
    ) : null}
    {leftOut.length > 0 ? (
      <ul className="text-second">
        {leftOut.map(({ reason, count }) => (
          <li key={reason}>
            {formatCount(count)}: {reason}
          </li>
        ))}
      </ul>
    ) : null}
  </section>
)
