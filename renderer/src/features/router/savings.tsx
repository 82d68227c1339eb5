import type { Saved, Savings, SavingsProof, SavingsSums, SessionSavings } from '#contracts/entities/savings.ts'
import { KEPT_WORDS, SAVINGS_KIND_WORDS } from '#contracts/savings-words.ts'
import { useSavings } from '#renderer/api/savings.ts'
import { traceHref } from '#renderer/app/links.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { IntervalDot } from '#renderer/ui/figures/interval-dot.tsx'
import { DASH, formatCompact, formatCount, formatDuration, formatPercent, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { usePages } from '#renderer/ui/lists/pages.ts'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { dollars } from './words.ts'
import { Visible } from '#renderer/ui/visible.tsx'

/** Below zero, it would have taken more. */
const signed = (format: (value: number) => string) => (value: number) => (value < 0 ? `−${format(-value)}` : format(value))
const FORMS = { usd: signed(dollars), tokens: signed(formatCompact) }
const range = (saved: Saved | null, form: keyof typeof FORMS, unknown = DASH): string =>
  saved === null ? unknown : `${FORMS[form](saved.value)} (${FORMS[form](saved.low)} to ${FORMS[form](saved.high)})`

const COLUMNS: Column<SessionSavings>[] = [
  {
    id: 'title',
    label: 'Session',
    cell: ({ traceId, title }) => (
      <TextLink href={traceHref(traceId)}>{title === null ? 'Session without a prompt' : <Visible text={title} />}</TextLink>
    ),
  },
  { id: 'at', label: 'When', cell: ({ at }) => (at === null ? DASH : <RelativeTime at={at} />) },
  {
    id: 'kinds',
    label: 'Work',
    cell: ({ kinds, steps }) => `${kinds.map((kind) => SAVINGS_KIND_WORDS[kind]).join(', ')}: ${plural(steps, 'step')}`,
  },
  { id: 'cost', label: 'Cost', numeric: true, cell: ({ costUsd }) => dollars(costUsd) },
  { id: 'usd', label: 'Would have saved', numeric: true, cell: ({ usd }) => range(usd, 'usd') },
]

function timeWords({ value, low, high }: Saved): string {
  const [one, other] = [Math.abs(low), Math.abs(high)].toSorted((a, b) => a - b).map(formatDuration)
  const span = one === other || low < 0 !== high < 0 ? '' : ` (${one} to ${other})`
  return `would have taken ${formatDuration(Math.abs(value))}${span} ${value < 0 ? 'longer' : 'less'}`
}

/** What the proven model would have saved in past sessions. */
export function SavingsSection() {
  const list = useSavings()
  const { rows, more } = usePages(list)
  return (
    <Section title="What it would have saved" note="In past sessions, had your model taken what the proof allows">
      <Fetched query={{ ...list, data: list.data?.pages[0], refetch: list.refetch }} what="savings" bars={['h-24 w-full', 'h-40 w-full']}>
        {({ proof, note, sums }) =>
          proof && sums ? (
            <>
              <Sums proof={proof} sums={sums} note={note} />
              <ByMonth sums={sums} />
              {rows.length > 0 ? <Table caption="Sessions" rows={rows} keyOf={({ traceId }) => traceId} columns={COLUMNS} /> : null}
              {list.hasNextPage ? (
                <div>
                  <Button busy={list.isFetchingNextPage} onClick={more}>
                    Show more
                  </Button>
                </div>
              ) : null}
            </>
          ) : (
            <NotYet note={note} />
          )
        }
      </Fetched>
    </Section>
  )
}

const NotYet = ({ note }: { note: string }) => (
  <EmptyState title="Nothing is proven yet">
    <p>
      {note} Once an exam proves the chosen model, this shows for each past session which steps it may have taken, and what that would have
      saved, with the interval of the proof.
    </p>
    <p className="mt-2">
      <TextLink href="/evaluator">Exams</TextLink> prove a model;{' '}
      <TextLink href="/settings/router">Settings → Model in Claude Code</TextLink> chooses it.
    </p>
  </EmptyState>
)

function Sums({ proof, sums, note }: { proof: SavingsProof; sums: SavingsSums; note: Savings['note'] }) {
  const { sessions, withSteps, conversations, steps, usd, tokens, ms, costUsd, unpriced, byKind, kept } = sums
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap items-baseline gap-2">
        <span className="text-2xl font-semibold tabular-nums">{usd === null ? 'not known' : FORMS.usd(usd.value)}</span>
        <span className="text-sm text-second">
          would have been saved of {dollars(costUsd)}
          {usd === null ? '' : `; with 95 % confidence ${FORMS.usd(usd.low)} to ${FORMS.usd(usd.high)}`}
        </span>
      </p>
      <p className="text-sm">{note}</p>
      <Facts>
        <Fact name="Proof">
          {proof.passed} of {proof.items} right in {plural(proof.sessions, 'session')}: {formatPercent(proof.share.low)} to{' '}
          {formatPercent(proof.share.high)} of <Visible text={proof.name} />
        </Fact>
        <Fact name="It may have taken">
          {plural(conversations, 'conversation')} with {plural(steps, 'step')} in {withSteps} of {plural(sessions, 'session')}
        </Fact>
        {byKind.map((one) => (
          <Fact key={one.kind} name={`Of that, ${SAVINGS_KIND_WORDS[one.kind]}`}>
            {plural(one.conversations, 'conversation')}, would have saved {range(one.usd, 'usd', 'an unknown amount')}
          </Fact>
        ))}
        <Fact name="Tokens of Claude">{range(tokens, 'tokens', 'not recorded')} fewer</Fact>
        <Fact name="Time">{ms === null ? 'not measured' : timeWords(ms)}</Fact>
        {unpriced > 0 ? <Fact name="Left out">{plural(unpriced, 'conversation')} with an unknown cost</Fact> : null}
        {kept.map(({ reason, conversations: left }) => (
          <Fact key={reason} name="With Claude all the same">
            {formatCount(left)} {KEPT_WORDS[reason]}
          </Fact>
        ))}
      </Facts>
    </div>
  )
}

const MONTHS = 12

function ByMonth({ sums }: { sums: SavingsSums }) {
  const months = sums.byMonth.slice(-MONTHS)
  const most = Math.max(...months.flatMap(({ usd, costUsd }) => [usd?.high ?? 0, costUsd ?? 0]))
  const place = (value: number) => Math.min(1, Math.max(0, most === 0 ? 0 : value / most))
  const known = months.filter(({ usd }) => usd !== null)
  if (known.length === 0) return null
  const largest = known.reduce((a, b) => ((b.usd?.value ?? 0) > (a.usd?.value ?? 0) ? b : a))
  const columns: Column<(typeof months)[number]>[] = [
    { id: 'month', label: 'Month', cell: ({ month }) => month },
    { id: 'usd', label: 'Would have saved', numeric: true, cell: ({ usd }) => range(usd, 'usd') },
    { id: 'cost', label: 'Cost', numeric: true, cell: ({ costUsd }) => dollars(costUsd) },
  ]
  return (
    <Figure
      title="By month"
      summary={`${plural(known.length, 'month')}; most in ${largest.month}: ${range(largest.usd, 'usd')}. The line is the interval of the proof, the mark what the sessions cost.`}
      table={{ caption: 'By month', rows: months, keyOf: ({ month }) => month, columns }}
    >
      <div className="grid grid-cols-[max-content_minmax(0,1fr)_max-content] items-center gap-x-3 text-sm">
        {months.map(({ month, usd, costUsd }) => (
          <div key={month} className="col-span-3 grid grid-cols-subgrid items-center">
            <span className="tabular-nums">{month}</span>
            <IntervalDot
              at={usd && place(usd.value)}
              interval={usd && [place(usd.low), place(usd.high)]}
              ticks={costUsd === null ? [] : [place(costUsd)]}
              label={`${month}: would have saved ${range(usd, 'usd', 'an unknown amount')} of ${dollars(costUsd)}`}
            />
            <span className="text-right tabular-nums">{usd === null ? DASH : FORMS.usd(usd.value)}</span>
          </div>
        ))}
      </div>
    </Figure>
  )
}
