import type { Dataset } from '#contracts/entities/dataset.ts'
import { LengthReport } from '#contracts/entities/preview.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { formatCount, formatPercent, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { usePreviewChoice } from '../../preview/choice.ts'
import { TemplateChoice } from '../../preview/template-choice.tsx'
import { TokenizerChoice } from '../../preview/tokenizer-choice.tsx'
import { useJobOf } from '#renderer/api/use-job.ts'
import { JobState } from '#renderer/app/job-progress.tsx'
import { LengthBars } from './length-bars.tsx'

/** Row lengths with a tokenizer, and how many rows exceed the max length. */
export function Lengths({ dataset }: { dataset: Dataset }) {
  const { tokenizer, template, maxTokens } = usePreviewChoice()
  const offline = useOfflineReason()
  const job = useJobOf(
    'lengths',
    (options: { tokenizer: string | null; template: string | null; maxTokens: number | null }) =>
      api.measureLengths({ body: { dataset: dataset.id, ...options } }),
    "Couldn't start the measurement",
    dataset.id,
  )
  const report = LengthReport.safeParse(job.result)
  const { tokens } = dataset
  return (
    <Section title="Lengths">
      {report.success ? null : tokens ? (
        <p className="text-sm">
          {formatCount(tokens.total)} tokens in total, longest row {formatCount(tokens.max)}
          {dataset.options.maxTokens === undefined
            ? ''
            : `; ${plural(tokens.truncated, 'row')} longer than ${formatCount(dataset.options.maxTokens)}`}
          . <span className="text-second">Tokenizer: {tokens.tokenizer}</span>
        </p>
      ) : (
        <p className="text-sm text-second">Not measured when this version was built.</p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <TokenizerChoice />
        <TemplateChoice />
        <Button reason={offline} busy={job.busy} onClick={() => job.start({ tokenizer, template, maxTokens })}>
          Measure lengths
        </Button>
      </div>
      <JobState name="Measuring" work={job} failed="Couldn't measure the lengths" />
      {report.success ? <Report report={report.data} dataset={dataset} /> : null}
    </Section>
  )
}

function Report({ report, dataset }: { report: LengthReport; dataset: Dataset }) {
  const limitSentence =
    report.maxTokens === null || report.truncated === null
      ? 'no max length is set'
      : `${plural(report.truncated, 'row')} (${formatPercent(report.rows > 0 ? report.truncated / report.rows : null)}) longer than ${formatCount(report.maxTokens)}`
  return (
    <>
      <Figure
        title="Rows by length in tokens"
        summary={`Median ${formatCount(report.p50)}, 90th percentile ${formatCount(report.p90)}, 99th percentile ${formatCount(report.p99)}, longest ${formatCount(report.max)};  ${limitSentence}. ${formatPercent(report.total > 0 ? report.trained / report.total : null)} of ${formatCount(report.total)} tokens are trained on. ${report.exact ? 'Tokenizer' : 'Estimated with'}: ${report.tokenizer}.`}
        table={{
          caption: 'Rows by length',
          columns: [
            { id: 'from', label: 'Tokens', cell: ({ from }) => `${formatCount(from)} to ${formatCount(from + report.width - 1)}` },
            { id: 'rows', label: 'Rows', numeric: true, cell: ({ rows }) => formatCount(rows) },
          ],
          rows: report.bins,
          keyOf: ({ from }) => String(from),
        }}
      >
        <LengthBars report={report} />
      </Figure>
      {report.refused.length > 0 ? (
        <ul className="flex flex-col gap-1 text-sm">
          {report.refused.map(({ reason, rows, firstRow }) => (
            <li key={reason} className="border-l-4 border-bad pl-2">
              {plural(rows, 'row')} cannot be used for training: {reason}{' '}
              <TextLink href={`/factory/datasets/${dataset.id}?tab=rows&row=${firstRow}`}>Open the first</TextLink>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}
