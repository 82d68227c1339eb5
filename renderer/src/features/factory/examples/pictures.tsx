import { Check, CircleDashed, X, type LucideIcon } from 'lucide-react'
import type { z } from 'zod'
import type { ReviewState } from '#contracts/entities/example.ts'
import type { ExampleFacets } from '#contracts/routes/factory.ts'
import { cn } from '#renderer/ui/cn.ts'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { Select } from '#renderer/ui/select.tsx'
import { Skeleton } from '#renderer/ui/states.tsx'
import type { ChangeSearch } from '#renderer/ui/use-search.ts'
import { CUTS, type ExamplesUrl } from './url.ts'
import { STATE_WORDS, STATES } from './words.ts'

type Facets = z.infer<typeof ExampleFacets>

const PICTURES = [
  { value: 'lengths', label: 'Lengths' },
  { value: 'repos', label: 'Repositories' },
] as const
const FILL: Record<ReviewState, string> = { proposed: 'bg-raised', accepted: 'bg-ok/25', rejected: 'bg-bad/20' }
const SIGN: Record<ReviewState, LucideIcon> = { proposed: CircleDashed, accepted: Check, rejected: X }
const BARS_PX = 64
/** Bars in the chart; the table has all repositories. */
const MAX_BARS = 12

/** Charts of the examples under review: lengths, or review states by repository. */
export function Pictures({ url, facets, onChange }: { url: ExamplesUrl; facets: Facets | undefined; onChange: ChangeSearch }) {
  return (
    <section aria-label="Chart of the examples" className="flex h-40 shrink-0 gap-4 overflow-hidden border-b border-line px-4 py-2">
      <div className="min-w-0 flex-1">
        {facets === undefined ? (
          <Skeleton className="h-32" />
        ) : url.picture === 'repos' ? (
          <Repos facets={facets} onChange={onChange} />
        ) : (
          <Lengths url={url} facets={facets} onChange={onChange} />
        )}
      </div>
      <div className="flex w-36 shrink-0 flex-col gap-2">
        <Select
          label="Chart"
          value={url.picture}
          options={PICTURES}
          onChange={(picture) => onChange({ picture: picture === 'lengths' ? null : picture })}
        />
        {url.picture === 'lengths' ? (
          <Select
            label="Max length"
            value={String(url.cut)}
            options={CUTS.map((cut) => ({ value: String(cut), label: `Line at ${formatCount(cut)}` }))}
            onChange={(cut) => onChange({ cut })}
          />
        ) : null}
      </div>
    </section>
  )
}

/** "512–1,023"; the last bin has no end. */
const binWords = ({ from, to }: Facets['tokens'][number]) =>
  to === null ? `${formatCount(from)} and more` : `${formatCount(from)}–${formatCount(to - 1)}`
const shortTokens = (tokens: number) => (tokens >= 1024 ? `${tokens / 1024}k` : String(tokens))

function Lengths({ url, facets, onChange }: { url: ExamplesUrl; facets: Facets; onChange: ChangeSearch }) {
  const bins = facets.tokens
  const total = bins.reduce((sum, { count }) => sum + count, 0)
  const largest = Math.max(1, ...bins.map(({ count }) => count))
  const beyond = bins.filter(({ from }) => from >= url.cut).reduce((sum, { count }) => sum + count, 0)
  const choose = (bin: (typeof bins)[number], isSelected: boolean) =>
    onChange(isSelected ? { min: null, max: null } : { min: String(bin.from), max: bin.to === null ? null : String(bin.to) })
  return (
    <Figure
      title="Length in tokens (estimated)"
      summary={
        total === 0
          ? 'no examples match this filter'
          : `${formatCount(beyond)} of ${plural(total, 'example')} ${beyond === 1 ? 'is' : 'are'} longer than ${formatCount(url.cut)} tokens and would be split at that max length`
      }
      table={{
        caption: 'Examples by length in tokens',
        columns: [
          { id: 'length', label: 'Tokens', cell: binWords },
          { id: 'count', label: 'Examples', numeric: true, cell: ({ count }) => formatCount(count) },
        ],
        rows: bins,
        keyOf: ({ from }) => String(from),
      }}
    >
      <div role="group" aria-label="Examples by length" className="flex items-end">
        {bins.map((bin) => {
          const isSelected = url.filter.minTokens === bin.from && (url.filter.maxTokens ?? null) === bin.to
          const words = `${binWords(bin)} tokens: ${plural(bin.count, 'example')}`
          return (
            <div
              key={bin.from}
              className={cn(
                'relative min-w-0 flex-1 border-l-2 px-px',
                bin.from === url.cut ? 'border-dashed border-bad' : 'border-transparent',
              )}
            >
              <div className="pointer-events-none flex flex-col justify-end" style={{ height: BARS_PX }}>
                <span aria-hidden className="text-center font-mono text-xs text-second">
                  {bin.count > 0 ? formatCount(bin.count) : ''}
                </span>
                <span
                  aria-hidden
                  className={bin.from >= url.cut ? 'bg-warn' : 'bg-series-1'}
                  style={{ height: bin.count > 0 ? Math.max(2, (bin.count / largest) * (BARS_PX - 18)) : 0 }}
                />
              </div>
              <span aria-hidden className="block border-t border-edge text-left font-mono text-xs text-second">
                {shortTokens(bin.from)}
              </span>
              <button
                type="button"
                disabled={bin.count === 0}
                aria-pressed={isSelected}
                aria-label={words}
                title={words}
                onClick={() => choose(bin, isSelected)}
                className={cn('focus-inset absolute inset-0 enabled:hover:bg-text/5', isSelected && 'bg-text/5 outline-1 outline-accent')}
              />
            </div>
          )
        })}
      </div>
    </Figure>
  )
}

function Sign({ state }: { state: ReviewState }) {
  const Icon = SIGN[state]
  return <Icon size={12} aria-hidden className="shrink-0" />
}

const sumOf = (row: Record<ReviewState, number>) => row.proposed + row.accepted + row.rejected

function Repos({ facets, onChange }: { facets: Facets; onChange: ChangeSearch }) {
  const { repos } = facets
  const largest = Math.max(1, ...repos.map(sumOf))
  const decided = facets.states.accepted + facets.states.rejected
  return (
    <Figure
      title="State by repository"
      summary={`${formatCount(decided)} of ${plural(sumOf(facets.states), 'example')} reviewed, ${formatCount(facets.states.accepted)} accepted`}
      table={{
        caption: 'Examples by repository and state',
        columns: [
          { id: 'repo', label: 'Repository', cell: ({ repo }) => repo ?? 'No repository' },
          ...STATES.map((state) => ({
            id: state,
            label: STATE_WORDS[state],
            numeric: true,
            cell: (row: (typeof repos)[number]) => formatCount(row[state]),
          })),
        ],
        rows: repos,
        keyOf: ({ repo }) => repo ?? '',
      }}
      legend={
        <p aria-hidden className="flex gap-4 text-xs text-second">
          {STATES.map((state) => (
            <span key={state} className="flex items-center gap-1">
              <Sign state={state} />
              {STATE_WORDS[state]}
            </span>
          ))}
        </p>
      }
    >
      <ul className="flex max-h-18 flex-col overflow-y-auto">
        {repos.slice(0, MAX_BARS).map((row) => (
          <li key={row.repo ?? ''} className="flex items-center gap-2 text-xs">
            <span className="w-28 shrink-0 truncate" title={row.repo ?? undefined}>
              {row.repo ?? 'No repository'}
            </span>
            <div className="flex h-6 min-w-0 flex-1 items-stretch py-0.5">
              {STATES.filter((state) => row[state] > 0).map((state) => (
                <button
                  key={state}
                  type="button"
                  aria-label={`${row.repo ?? 'No repository'}, ${STATE_WORDS[state]}: ${plural(row[state], 'example')}`}
                  title={`${STATE_WORDS[state]}: ${formatCount(row[state])}`}
                  onClick={() => onChange({ repo: row.repo ?? '-', state })}
                  style={{ width: `${(row[state] / largest) * 100}%` }}
                  className={cn(
                    'focus-inset flex min-w-10 items-center gap-1 border-r border-bg px-1 hover:outline-1 hover:outline-accent',
                    FILL[state],
                  )}
                >
                  <Sign state={state} />
                  <span className="truncate font-mono">{formatCount(row[state])}</span>
                </button>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </Figure>
  )
}
