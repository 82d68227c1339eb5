import type { AnswerItem, AnswerRun, LabelMetric } from '#contracts/entities/answer.ts'
import { useAnswerItems, useLabelAnswer } from '#renderer/api/answers.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { traceHref } from '#renderer/app/links.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { DASH, formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Section } from '#renderer/ui/page.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { checkText, metricWord } from './words.ts'

const VIEWS = [
  { id: 'grades', label: 'Grades' },
  { id: 'label', label: 'Label' },
] as const

/** Every text as it is sent, beside its grades with their reasons; or beside your own labels, without the grades. */
export function Items({ run }: { run: AnswerRun }) {
  const [search, change] = useSearchState()
  const canLabel = run.request.source.kind !== 'compare' && run.labels.model !== null
  const view = canLabel && search.get('view') === 'label' ? 'label' : 'grades'
  const list = useAnswerItems(run.id)
  const { rows, more } = useRows(list)
  return (
    <Section
      title="Texts"
      note={view === 'label' ? 'The grades of the model are not shown here, so that your labels are your own.' : 'As they are sent.'}
      actions={
        canLabel ? (
          <Segmented
            label="What is shown"
            value={view}
            options={VIEWS}
            onChange={(id) => change({ view: id === 'grades' ? null : id }, { replace: true })}
          />
        ) : null
      }
    >
      <Fetched query={{ ...list, refetch: list.refetch }} what="texts" bars={['h-40 w-full', 'h-40 w-full']}>
        {() => (
          <>
            <ol className="flex flex-col gap-4">
              {rows.map((item) => (
                <Item key={item.no} run={run} item={item} isLabelling={view === 'label'} />
              ))}
            </ol>
            {list.hasNextPage ? <Button onClick={more}>Show more</Button> : null}
          </>
        )}
      </Fetched>
    </Section>
  )
}

const VERDICTS = {
  passed: { label: 'passed', tone: 'ok' },
  failed: { label: 'failed', tone: 'bad' },
  not_scored: { label: 'not scored', tone: 'neutral' },
} as const
const BETTER = { a: 'The first is better.', b: 'The second is better.', tie: 'Tied.' } as const

function Item({ run, item, isLabelling }: { run: AnswerRun; item: AnswerItem; isLabelling: boolean }) {
  const { no, traceId, title, prompt, response, other, findings, verdict, why, comparison } = item
  const replaced = Object.values(findings).reduce((sum, count) => sum + count, 0)
  return (
    <li aria-label={`Answer ${no + 1}`} className="grid gap-3 rounded border border-line bg-panel p-3 text-sm lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-2">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <b>No. {no + 1}</b>
          {traceId === null ? null : <TextLink href={traceHref(traceId)}>{title ?? 'Session'}</TextLink>}
          {verdict === null ? null : <Badge tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].label}</Badge>}
          {replaced > 0 ? <span className="text-xs text-second">{formatCount(replaced)} replaced</span> : null}
        </p>
        <CodeBlock wrap label={`Request ${no + 1}`} text={prompt} className="max-h-40" />
        <CodeBlock
          wrap
          label={other === null ? `Answer text ${no + 1}` : `First answer ${no + 1}`}
          text={response ?? 'Not answered yet.'}
          className="max-h-72"
        />
        {other === null ? null : <CodeBlock wrap label={`Second answer ${no + 1}`} text={other} className="max-h-72" />}
        {why === null ? null : (
          <p className="text-xs break-words text-second">
            <Visible text={why} />
          </p>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        {comparison?.verdict == null ? null : (
          <p>
            {BETTER[comparison.verdict]}
            {comparison.flipped ? ' The verdict changed with the order.' : ''}
          </p>
        )}
        {item.check === null ? null : (
          <p className="break-words">
            <b>Check</b> <Visible text={checkText(item.check)} />
          </p>
        )}
        {item.rubric === null ? null : (
          <p className="break-words">
            <b>Rubric</b> <Visible text={item.rubric} />
          </p>
        )}
        {isLabelling ? <Labels run={run} item={item} /> : run.labels.model === null ? null : <Grades item={item} />}
      </div>
    </li>
  )
}

/** A quote that does not stand in the texts is marked: the model made it up, or changed it. */
const quoted = ({ prompt, response, other }: AnswerItem, quote: string): string =>
  [prompt, response, other].some((text) => text?.includes(quote.trim())) ? `“${quote}”` : `“${quote}” (not in the texts)`

function Grades({ item }: { item: AnswerItem }) {
  const { scores, labels } = item
  if (scores.length === 0) return <p className="text-second">Not graded yet.</p>
  return (
    <dl className="flex flex-col gap-3">
      {scores.map(({ metric, repeat, raw, reasoning, error, evidence, cached }) => {
        const own = labels.find((label) => label.metric === metric)
        return (
          <div key={`${metric} ${repeat}`} className="flex flex-col gap-0.5">
            <dt className="flex flex-wrap items-center gap-x-2 font-semibold">
              {metricWord(metric)}
              {metric === 'comparison' ? ` in ${repeat === 0 ? 'this' : 'the other'} order` : ` ${raw === null ? DASH : `${raw} of 5`}`}
              {repeat > 0 && metric !== 'comparison' ? <span className="text-xs font-normal text-second">repeat {repeat + 1}</span> : null}
              {cached ? <span className="text-xs font-normal text-second">asked before</span> : null}
              {own && repeat === 0 ? (
                <span className="text-xs font-normal text-second">
                  you: {own.scale === 'five' ? own.value : own.value === 1 ? 'yes' : 'no'}
                </span>
              ) : null}
            </dt>
            <dd className="flex flex-col gap-1 break-words text-second">
              {error === null ? null : (
                <span className="text-warn">
                  No grade: <Visible text={error} />
                </span>
              )}
              {reasoning === null ? null : (
                <span>
                  <Visible text={reasoning} />
                </span>
              )}
              {evidence.length === 0 ? null : (
                <span className="text-xs">
                  <Visible text={evidence.map((quote) => quoted(item, quote)).join(' ')} />
                </span>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

const PRESSED = 'font-semibold outline-2 outline-accent'
const POINTS = [1, 2, 3, 4, 5] as const
const YES_NO = [
  { value: 1, label: 'yes' },
  { value: 0, label: 'no' },
] as const

function Labels({ run, item }: { run: AnswerRun; item: AnswerItem }) {
  const offline = useOfflineReason()
  const label = useLabelAnswer(run.id)
  const ofSessions = run.request.source.kind === 'sessions' ? run.request.metrics : []
  const metrics: LabelMetric[] = item.rubric === null || item.response === null ? [...ofSessions] : ['rubric']
  if (metrics.length === 0) return <p className="text-second">Nothing here is graded by a rubric.</p>
  return (
    <div className="flex flex-col gap-3">
      {metrics.map((metric) => {
        const own = item.labels.find((one) => one.metric === metric)
        const choose = (scale: 'five' | 'yes_no', value: number) =>
          label.mutate({ no: item.no, metric, scale, value: own?.scale === scale && own.value === value ? null : value })
        const name = `${metricWord(metric)} of answer ${item.no + 1}`
        return (
          <div key={metric} role="group" aria-label={name} className="flex flex-wrap items-center gap-2">
            <span className="w-36">{metricWord(metric)}</span>
            {POINTS.map((value) => (
              <Button
                key={value}
                size="small"
                className={own?.scale === 'five' && own.value === value ? PRESSED : ''}
                aria-pressed={own?.scale === 'five' && own.value === value}
                aria-label={`${name}: ${value}`}
                reason={offline}
                onClick={() => choose('five', value)}
              >
                {value}
              </Button>
            ))}
            <span className="text-xs text-second">or</span>
            {YES_NO.map(({ value, label: word }) => (
              <Button
                key={word}
                size="small"
                className={own?.scale === 'yes_no' && own.value === value ? PRESSED : ''}
                aria-pressed={own?.scale === 'yes_no' && own.value === value}
                aria-label={`${name}: ${word}`}
                reason={offline}
                onClick={() => choose('yes_no', value)}
              >
                {word}
              </Button>
            ))}
          </div>
        )
      })}
    </div>
  )
}
