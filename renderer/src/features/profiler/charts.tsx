import type { Profile } from '#contracts/entities/profile.ts'
import { profileHref } from '#renderer/app/links.ts'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { Areas, Bars } from '#renderer/ui/figures/pictures.tsx'
import { formatCompact, formatCount, formatDuration, formatPercent, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { cacheShare, type ContextRow, contextOf, slowTools, type TokenRow, tokensByTurn, type ToolRow } from './rows.ts'
import { NOT_MEASURED, timeWord, TOKEN_SERIES } from './words.ts'

/** Tokens by turn, how the context grew, and how long tools took. A click shows the span. */
export function Charts({ profile, onShow }: { profile: Profile; onShow: (spanId: string) => void }) {
  const { spans, summary, id } = profile
  const turns = tokensByTurn(spans)
  const context = contextOf(spans, spans[0]?.id ?? '')
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-8 overflow-y-auto px-6 py-4">
      {turns.length === 0 ? (
        <p className="text-sm text-second">Tokens: {NOT_MEASURED}. The transcript has no usage.</p>
      ) : (
        <>
          <Tokens rows={turns} total={summary.llmCalls.totalTokens} onShow={onShow} />
          <Context rows={context} share={cacheShare(summary.tokens)} onShow={onShow} />
        </>
      )}
      <Tools rows={slowTools(spans)} traceId={id} />
    </div>
  )
}

const Legend = ({ series }: { series: readonly (typeof TOKEN_SERIES)[number][] }) => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-second">
    {series.map(({ id, label, color }) => (
      <li key={id} className="flex items-center gap-1.5">
        <span aria-hidden className="size-2.5 rounded-xs" style={{ background: color }} />
        {label}
      </li>
    ))}
  </ul>
)

function Tokens({ rows, total, onShow }: { rows: TokenRow[]; total: number | null; onShow: (id: string) => void }) {
  const sum = (row: TokenRow) => TOKEN_SERIES.reduce((all, { id }) => all + row[id], 0)
  const most = rows.reduce((a, b) => (sum(b) > sum(a) ? b : a))
  return (
    <Figure
      title="Tokens by turn"
      summary={`${formatCompact(total)} tokens; most in turn ${most.label}: ${formatCompact(sum(most))}.`}
      legend={<Legend series={TOKEN_SERIES} />}
      table={{
        caption: 'Tokens by turn',
        columns: [
          { id: 'turn', label: 'Turn', cell: ({ label }: TokenRow) => label },
          ...TOKEN_SERIES.map(({ id, label }) => ({ id, label, numeric: true, cell: (row: TokenRow) => formatCount(row[id]) })),
        ],
        rows,
        keyOf: ({ id }) => id,
      }}
    >
      <Bars
        rows={rows}
        series={TOKEN_SERIES}
        unit="tokens"
        formatY={formatCompact}
        onOpen={(index) => rows[index] && onShow(rows[index].id)}
      />
    </Figure>
  )
}

const [INPUT, , CACHE_READ, CACHE_WRITE] = TOKEN_SERIES
const CONTEXT_SERIES = [CACHE_READ, CACHE_WRITE, INPUT] as const

function Context({ rows, share, onShow }: { rows: ContextRow[]; share: number | null; onShow: (id: string) => void }) {
  if (rows.length === 0) return null
  const most = rows.reduce((a, b) => (b.total > a.total ? b : a))
  const series = CONTEXT_SERIES
  const cache = share === null ? '' : ` ${formatPercent(share)} of all that was sent came from the cache.`
  return (
    <Figure
      title="Context and cache"
      summary={`What each request of the main conversation sent: up to ${formatCompact(most.total)} tokens, at request ${most.label}.${cache}`}
      legend={<Legend series={CONTEXT_SERIES} />}
      table={{
        caption: 'Context and cache',
        columns: [
          { id: 'request', label: 'Request', cell: ({ label }: ContextRow) => label },
          ...series.map(({ id, label }) => ({
            id,
            label,
            numeric: true,
            cell: (row: ContextRow) => formatCount(row[id]),
          })),
          { id: 'total', label: 'Together', numeric: true, cell: ({ total }) => formatCount(total) },
        ],
        rows,
        keyOf: ({ id }) => id,
      }}
    >
      <Areas rows={rows} series={series} unit="tokens" formatY={formatCompact} onOpen={(index) => rows[index] && onShow(rows[index].id)} />
    </Figure>
  )
}

const Tools = ({ rows, traceId }: { rows: ToolRow[]; traceId: string }) => {
  const longest = rows.reduce((most, { p95Ms }) => Math.max(most, p95Ms ?? 0), 0)
  return (
    <Section title="Tools" note="Half of the calls are shorter than p50, 95 of 100 are shorter than p95.">
      {rows.length === 0 ? (
        <p className="text-sm text-second">No tool was called.</p>
      ) : (
        <Table
          caption="Tools by time"
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { id: 'name', label: 'Tool', cell: ({ name }) => name },
            { id: 'calls', label: 'Calls', numeric: true, cell: ({ calls }) => formatCount(calls) },
            { id: 'failed', label: 'Failed', numeric: true, cell: ({ failed }) => formatCount(failed) },
            { id: 'total', label: 'Together', numeric: true, cell: ({ totalMs }) => formatDuration(totalMs) },
            { id: 'p50', label: 'p50', numeric: true, cell: ({ p50Ms }) => timeWord(p50Ms) },
            { id: 'p95', label: 'p95', numeric: true, cell: ({ p95Ms }) => timeWord(p95Ms) },
            { id: 'strip', label: 'p50 to p95', className: 'w-1/4 min-w-32', cell: (row) => <Strip {...row} longest={longest} /> },
            {
              id: 'slowest',
              label: 'Slowest',
              numeric: true,
              cell: ({ slowest, name }) => (
                <TextLink href={profileHref(traceId, slowest.id)} title={`The slowest of ${plural(rows.length, 'tool')}: ${name}`}>
                  {timeWord(slowest.durationMs)}
                </TextLink>
              ),
            },
          ]}
        />
      )}
    </Section>
  )
}

function Strip({ p50Ms, p95Ms, longest }: ToolRow & { longest: number }) {
  if (p50Ms === null || p95Ms === null || longest === 0) return null
  const [left, right] = [(p50Ms / longest) * 100, (p95Ms / longest) * 100]
  return (
    <span aria-hidden className="relative block h-3 w-full rounded-xs bg-raised">
      <span className="absolute inset-y-0 min-w-0.5 rounded-xs bg-series-2" style={{ left: `${left}%`, width: `${right - left}%` }} />
    </span>
  )
}
