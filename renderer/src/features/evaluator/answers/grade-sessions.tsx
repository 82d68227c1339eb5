import { useId, useState } from 'react'
import { AnswerMetric } from '#contracts/entities/answer.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { JobState } from '#renderer/app/job-progress.tsx'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { NumberRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { EMPTY_MODEL, missingModel, ModelFields, modelIn } from '../model-fields.tsx'
import { plural } from '#renderer/ui/format.ts'
import { usePrepared } from './use-prepared.ts'
import { metricWord } from './words.ts'

const MOST = 1000

/** Which sessions are graded, by what, and by whom. Preparing it reads the texts and sends nothing. */
export function GradeSessions({
  query: initial,
  selected,
  onClose,
}: {
  query: string
  /** Sessions in place of those of a filter. */
  selected: readonly string[] | null
  onClose: () => void
}) {
  const [query, setQuery] = useState(initial)
  const [limit, setLimit] = useState('')
  const [metrics, setMetrics] = useState<readonly AnswerMetric[]>(['task_completion', 'correctness'])
  const [model, setModel] = useState(EMPTY_MODEL)
  const offline = useOfflineReason()
  const { job, prepare, isStarted } = usePrepared()
  const most = limit.trim() === '' ? 50 : Number(limit)
  const isLimit = Number.isInteger(most) && most >= 1 && most <= MOST
  const grader = modelIn(model)
  const reason =
    offline ??
    (metrics.length === 0 ? 'Choose a metric.' : !isLimit ? 'Enter a limit from 1 to 1,000.' : grader === null ? missingModel(model) : null)
  return (
    <FormDialog
      wide
      title="Grade sessions"
      description="The next page shows every text as it would be sent, and the cost. Nothing is sent before you start it there."
      action="Prepare"
      reason={reason}
      busy={job.busy}
      onSubmit={() => {
        if (grader === null) return
        prepare({
          source: {
            kind: 'sessions',
            ...(selected ? { traceIds: selected.slice(0, MOST) } : query.trim() !== '' && { query: query.trim() }),
          },
          metrics: [...metrics],
          model: grader,
          limit: selected ? MOST : most,
        })
      }}
      onClose={onClose}
    >
      {selected ? (
        <p className="py-3 text-sm">
          {selected.length > MOST
            ? `The first ${MOST} of ${selected.length} selected sessions`
            : plural(selected.length, 'selected session')}
        </p>
      ) : (
        <>
          <TextRow
            label="Sessions"
            mono
            hint="A filter as in Traces, such as repo:shop age:<7d. Empty: all."
            value={query}
            onChange={setQuery}
          />
          <NumberRow
            label="At most"
            hint="Sessions, the newest first."
            placeholder="50"
            value={limit}
            error={isLimit ? undefined : 'From 1 to 1,000.'}
            onChange={setLimit}
          />
        </>
      )}
      <fieldset className="flex flex-col gap-1 pb-3">
        <legend className="pt-3 pb-1 text-sm font-semibold">Metrics</legend>
        <div className="grid grid-cols-2 gap-x-4 sm:grid-cols-4">
          {AnswerMetric.options.map((metric) => (
            <MetricBox
              key={metric}
              metric={metric}
              checked={metrics.includes(metric)}
              onChange={(on) => setMetrics(on ? [...metrics, metric] : metrics.filter((one) => one !== metric))}
            />
          ))}
        </div>
      </fieldset>
      <ModelFields label="Who grades" value={model} onChange={setModel} />
      {isStarted ? <JobState name="Texts" work={job} failed="Couldn't read the texts" /> : null}
    </FormDialog>
  )
}

function MetricBox({ metric, checked, onChange }: { metric: AnswerMetric; checked: boolean; onChange: (checked: boolean) => void }) {
  const id = useId()
  return (
    <span className="flex items-center gap-1 text-sm">
      <Checkbox id={id} checked={checked} onChange={onChange} />
      <label htmlFor={id}>{metricWord(metric)}</label>
    </span>
  )
}
