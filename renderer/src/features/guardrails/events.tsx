import { Check, ScanSearch, X } from 'lucide-react'
import { useState } from 'react'
import type { GuardOverview, GuardrailEvent } from '#contracts/entities/guardrail.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import {
  type EventFilter,
  loadGuardEvents,
  useGuardEvents,
  useGuardOverview,
  useReviewEvent,
  useStartSweep,
} from '#renderer/api/guardrails.ts'
import { useRunningJob } from '#renderer/api/jobs.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { stepHref } from '#renderer/app/links.ts'
import { kindsOf, sourceOf } from '#renderer/app/words/taint.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { DownloadMenu } from '#renderer/ui/download-menu.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { Bars } from '#renderer/ui/figures/pictures.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { saveFrom } from '#renderer/ui/save-file.ts'
import { Select } from '#renderer/ui/select.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { csvOf } from './csv.ts'
import { ACTION_WORDS, SOURCE_WORDS, TYPE_WORDS, VERDICT_WORDS } from './words.ts'

export function EventsTab() {
  const overview = useGuardOverview()
  return (
    <>
      <Fetched query={overview} what="figures" bars={['h-52 w-full']}>
        {({ sessions, days }) => (
          <>
            <Sessions sessions={sessions} />
            {days.length > 0 ? <DaysPicture days={days} /> : null}
          </>
        )}
      </Fetched>
      {/* the height above is known only then */}
      {overview.isPending ? null : <Events />}
    </>
  )
}

/** Which captured sessions were checked, and the button to check the others. */
function Sessions({ sessions: { swept, waiting, failed } }: Pick<GuardOverview, 'sessions'>) {
  const running = useRunningJob('guardrail-sweep')
  const start = useStartSweep()
  const offline = useOfflineReason()
  if (running) return <JobProgress name="Check of sessions" job={running} />
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <p className="min-w-60 flex-1">
        {swept + waiting === 0
          ? 'No sessions are captured yet. Commands in sandboxes are always checked.'
          : `Commands and tool results of ${formatCount(swept)} of ${plural(swept + waiting, 'session')} checked${waiting > 0 ? `, ${formatCount(waiting)} new or changed` : ''}${failed > 0 ? `, ${formatCount(failed)} of them could not be read` : ''}.`}
      </p>
      <Button
        icon={ScanSearch}
        look={waiting > 0 ? 'primary' : 'plain'}
        busy={start.isPending}
        reason={offline ?? (waiting === 0 ? 'Every session has been checked.' : null)}
        onClick={() => start.mutate()}
      >
        Check sessions
      </Button>
    </div>
  )
}

const SERIES = [
  { id: 'allow', label: 'No rule matched', color: 'var(--pending)' },
  { id: 'warn', label: 'Warn', color: 'var(--warn)' },
  { id: 'block', label: 'Block', color: 'var(--bad)' },
] as const
const MOST_DAYS = 60

function DaysPicture({ days }: Pick<GuardOverview, 'days'>) {
  const shown = days.slice(-MOST_DAYS)
  const sum = (id: (typeof SERIES)[number]['id']) => shown.reduce((total, day) => total + day[id], 0)
  return (
    <Figure
      title="Checks a day"
      summary={`${plural(sum('allow') + sum('warn') + sum('block'), 'check')} on ${plural(shown.length, 'day')}: ${formatCount(sum('allow'))} that no rule matched, ${formatCount(sum('warn'))} with a warning, ${formatCount(sum('block'))} with a block.`}
      legend={
        <ul className="flex flex-wrap gap-x-4 text-xs text-second">
          {SERIES.map(({ id, label, color }) => (
            <li key={id} className="flex items-center gap-1.5">
              <span aria-hidden className="size-2.5 rounded-sm" style={{ background: color }} />
              {label}
            </li>
          ))}
        </ul>
      }
      table={{
        caption: 'Checks a day, by verdict',
        rows: shown.toReversed(),
        keyOf: ({ day }) => day,
        columns: [
          { id: 'day', label: 'Day', cell: ({ day }) => day },
          ...SERIES.map(({ id, label }) => ({
            id,
            label,
            numeric: true,
            cell: (row: (typeof shown)[number]) => formatCount(row[id]),
          })),
        ],
      }}
    >
      <Bars unit="checks" rows={shown.map(({ day, ...counts }) => ({ label: day, ...counts }))} series={SERIES} />
    </Figure>
  )
}

const optionsOf = <Value extends string>(all: string, words: Record<Value, string>) => [
  { value: '', label: all },
  ...Object.entries<string>(words).map(([value, label]) => ({ value, label })),
]
const CHOICES = [
  { name: 'verdict', label: 'Verdict', options: optionsOf('Any verdict', { warn: 'Warn', block: 'Block' }) },
  { name: 'action', label: 'What was done', options: optionsOf('Anything done', ACTION_WORDS) },
  { name: 'source', label: 'Where', options: optionsOf('Anywhere', SOURCE_WORDS) },
  { name: 'type', label: 'About', options: optionsOf('About anything', TYPE_WORDS) },
] as const

function Events() {
  const [filter, setFilter] = useState<EventFilter>({})
  const events = useGuardEvents(filter)
  const items = events.data?.pages.flatMap((page) => page.items) ?? []
  const total = events.data?.pages[0]?.total ?? 0
  const isFiltered = Object.keys(filter).length > 0
  const choose = (name: string, value: string) => {
    const { [name as keyof EventFilter]: _, ...rest } = filter
    setFilter(value === '' ? rest : { ...rest, [name]: value })
  }
  const save = (format: 'jsonl' | 'csv') =>
    void saveFrom(`guardrail-events.${format}`, "Couldn't export the events", async () => {
      const rows = await loadGuardEvents(filter)
      return new Blob([format === 'csv' ? csvOf(rows) : rows.map((row) => `${JSON.stringify(row)}\n`).join('')])
    })
  return (
    <Section
      title="Events"
      note={events.data ? `${plural(total, 'event')}. The verdict is what the rule says, then what was done` : undefined}
      actions={
        total > 0 ? (
          <DownloadMenu
            label="Export"
            formats={[
              { format: 'jsonl', label: 'JSON Lines' },
              { format: 'csv', label: 'CSV' },
            ]}
            onSelect={save}
          />
        ) : null
      }
    >
      {total > 0 || isFiltered ? (
        <div className="flex flex-wrap gap-2">
          {CHOICES.map(({ name, label, options }) => (
            <Select key={name} label={label} value={filter[name] ?? ''} options={options} onChange={(value) => choose(name, value)} />
          ))}
          {filter.rule === undefined ? null : (
            <Button icon={X} onClick={() => choose('rule', '')}>
              Rule {filter.rule}
            </Button>
          )}
        </div>
      ) : null}
      <Fetched query={events} what="events" bars={['h-40 w-full']}>
        {() =>
          items.length === 0 ? (
            <EmptyState title={isFiltered ? 'No event matches' : 'No events yet'}>
              {isFiltered
                ? 'Choose fewer filters.'
                : 'Commands that a rule warns about or blocks are listed here, and tool results that speak to the agent.'}
            </EmptyState>
          ) : (
            <EventTable items={items} onRule={(rule) => choose('rule', rule)} />
          )
        }
      </Fetched>
      {events.hasNextPage ? (
        <div>
          <Button busy={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
    </Section>
  )
}

const EventTable = ({ items, onRule }: { items: readonly GuardrailEvent[]; onRule: (rule: string) => void }) => (
  <Table
    caption="Events"
    rows={items}
    keyOf={({ id }) => id}
    columns={[
      {
        id: 'verdict',
        label: 'Verdict',
        className: 'whitespace-nowrap',
        cell: ({ verdict, action, type }) => (
          <span className="flex items-center gap-2">
            <Badge tone={VERDICT_WORDS[verdict].tone}>{VERDICT_WORDS[verdict].word}</Badge>
            <span className="text-xs text-second">{action === 'ran' && type !== 'code' ? 'was read' : ACTION_WORDS[action]}</span>
          </span>
        ),
      },
      {
        id: 'part',
        label: 'What decided',
        className: 'w-full min-w-64',
        cell: ({ excerpt, reason, rule, score, taint }) => (
          <span className="flex flex-col gap-0.5">
            <code className="line-clamp-3 font-mono text-xs break-all whitespace-pre-wrap">{excerpt}</code>
            <span className="text-xs text-second">
              {reason} {score === null ? '' : `Score ${score}. `}
              <button
                type="button"
                className="cursor-pointer rounded-sm text-accent underline underline-offset-2"
                onClick={() => onRule(rule)}
              >
                {rule}
              </button>
            </span>
            {taint.map((line) => (
              <span key={line.sourceStepId} className="text-xs text-second">
                <span className="text-warn">Not from you or the model:</span> the {kindsOf(line)}{' '}
                <code className="font-mono break-all">{line.words.map(({ text }) => text).join(', ')}</code> first stood in{' '}
                <TextLink href={stepHref(line.traceId, line.sourceStepId)}>{sourceOf(line)}</TextLink>.
              </span>
            ))}
          </span>
        ),
      },
      {
        id: 'source',
        label: 'Where',
        className: 'whitespace-nowrap',
        cell: ({ source, traceId, stepId, sandboxId }) =>
          traceId !== null && stepId !== null ? (
            <TextLink href={stepHref(traceId, stepId)}>{SOURCE_WORDS[source]}</TextLink>
          ) : sandboxId === null ? (
            SOURCE_WORDS[source]
          ) : (
            <TextLink href={`/sandboxes/${sandboxId}`}>{SOURCE_WORDS[source]}</TextLink>
          ),
      },
      { id: 'at', label: 'When', className: 'whitespace-nowrap', cell: ({ at }) => <RelativeTime at={at} /> },
      { id: 'right', label: 'Was this right?', cell: (event) => <WasRight event={event} /> },
    ]}
  />
)

function WasRight({ event: { id, wasRight } }: { event: GuardrailEvent }) {
  const review = useReviewEvent()
  const offline = useOfflineReason()
  return (
    <span className="flex gap-1">
      {(
        [
          [true, 'Yes', Check],
          [false, 'No', X],
        ] as const
      ).map(([answer, word, icon]) => (
        <Button
          key={word}
          size="small"
          look={wasRight === answer ? 'plain' : 'quiet'}
          icon={icon}
          aria-pressed={wasRight === answer}
          reason={offline}
          onClick={() => review.mutate({ id, wasRight: wasRight === answer ? null : answer })}
        >
          {word}
        </Button>
      ))}
    </span>
  )
}
