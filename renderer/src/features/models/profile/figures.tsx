import type { ReactNode } from 'react'
import type { Model } from '#contracts/entities/model.ts'
import { intervalText, signed, VERDICT_WORDS } from '#contracts/exam-words.ts'
import { examRunHref, runHref } from '#renderer/app/links.ts'
import { VERDICT_TONES } from '#renderer/app/words/exams.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Spark } from '#renderer/ui/figures/spark.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { figureOf, formatFigure, inOrder, intervalOf } from '../figures.ts'
import { NotMeasured } from '../parts.tsx'
import { deviceWord } from '../words.ts'

interface Line {
  label: string
  value: ReactNode
}

/** Every figure of a model, and where it was measured. */
export function Figures({ model }: { model: Model }) {
  const { training, operational } = model
  const figure = (id: string, value: number | null, why?: string): Line => {
    const { label, format } = figureOf(id)
    return {
      label,
      value: value === null ? <NotMeasured {...(why ? { why } : {})} /> : <span className="font-mono text-xs">{format(value)}</span>,
    }
  }
  const shown = new Set(['loss', 'eval_loss'])
  const others = inOrder(Object.keys(training.metrics).filter((id) => !shown.has(id)))
  return (
    <Section title="Figures">
      <div className="grid gap-x-10 gap-y-6 md:grid-cols-2 xl:grid-cols-3">
        <Group
          title="Training"
          note={training.device ? `on ${deviceWord(training.device)}` : 'training device unknown'}
          lines={[
            figure('eval_loss', training.evalLoss, 'The run had no held-out rows.'),
            figure('loss', training.loss),
            figure('steps', training.steps),
            figure('rows', training.rows),
            figure('tokens', training.tokens),
            figure('train_sec', training.trainSec),
            figure('peak_mb', training.peakMb),
          ]}
        >
          <Curve model={model} />
          {others.length > 0 ? (
            <details className="text-sm">
              <summary className="py-1 text-second">All trainer figures</summary>
              <Lines lines={others.map((id) => figure(id, training.metrics[id] ?? null))} />
            </details>
          ) : null}
        </Group>
        <Group
          title="In use"
          note={operational.measuredOn ? `answers measured on ${operational.measuredOn}` : 'speed is measured when you try it'}
          lines={[
            figure('parameters', operational.parameters),
            figure('size_bytes', operational.sizeBytes),
            figure('tokens_per_sec', operational.tokensPerSec, 'It has not been tried yet.'),
            figure('latency_ms', operational.latencyMsP50, 'It has not been tried yet.'),
            figure('latency_ms_p95', operational.latencyMsP95, 'It has not been tried yet.'),
          ]}
        />
        <Group title="Evaluations" note="on unseen work" lines={model.evaluations.toReversed().map(evaluationLine)}>
          {model.evaluations.length === 0 ? (
            <p className="text-sm text-second">
              Not examined: no exam has compared it with the model that it was trained from. A lower loss does not prove better results.
            </p>
          ) : null}
        </Group>
      </div>
    </Section>
  )
}

function evaluationLine({ name, value, n, at, exam }: Model['evaluations'][number]): Line {
  if (exam !== null)
    return {
      label: `Exam ${exam.name}, against ${exam.against}`,
      value: (
        <span className="inline-flex items-center gap-2 text-xs">
          <TextLink href={examRunHref(exam.examId, exam.run)} className="no-underline!">
            <Badge tone={VERDICT_TONES[exam.verdict]}>{VERDICT_WORDS[exam.verdict]}</Badge>
          </TextLink>
          {value === null ? null : (
            <span className="font-mono">
              {signed(value)} ({exam.interval === null ? 'interval not measured' : intervalText(exam.interval)})
            </span>
          )}
          <RelativeTime at={at} className="text-second" />
        </span>
      ),
    }
  if (value === null) return { label: name, value: <NotMeasured /> }
  const interval = intervalOf({ value, n })
  return {
    label: name,
    value: (
      <span className="font-mono text-xs">
        {formatFigure(value)}
        {interval ? ` (${formatFigure(interval[0])} to ${formatFigure(interval[1])}, n ${n})` : ''}{' '}
        <RelativeTime at={at} className="text-second" />
      </span>
    ),
  }
}

const Group = ({ title, note, lines, children }: { title: string; note: string; lines: readonly Line[]; children?: ReactNode }) => (
  <section aria-label={title} className="flex min-w-0 flex-col gap-1.5">
    <h3 className="text-sm font-semibold">
      {title} <span className="font-normal text-second">{note}</span>
    </h3>
    <Lines lines={lines} />
    {children}
  </section>
)

const Lines = ({ lines }: { lines: readonly Line[] }) => (
  <dl className="text-sm">
    {lines.map(({ label, value }) => (
      <div key={label} className="flex min-h-7 flex-wrap items-center justify-between gap-x-4 border-b border-line py-0.5">
        <dt className="max-w-full truncate text-second" title={label}>
          {label}
        </dt>
        <dd className="ml-auto shrink-0 text-right">{value}</dd>
      </div>
    ))}
  </dl>
)

function Curve({ model: { name, training, lineage } }: { model: Model }) {
  if (training.spark.filter((value) => value !== null).length < 2) return null
  return (
    <div className="flex items-center gap-3 pt-1 text-sm">
      <Spark values={training.spark} width={200} height={44} label={`Loss of ${name} over its steps`} />
      <TextLink href={runHref(lineage.runId)}>All curves of the run</TextLink>
    </div>
  )
}
