import { useState } from 'react'
import { PrivacyAction } from '#contracts/entities/privacy.ts'
import { piiWord } from '#renderer/app/words/privacy.ts'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { partsOf, pictureSentence, rowsOf, type Cell, type Part, type TypeRow } from './picture-data.ts'
import { BANDS, formatUrl, type ReviewUrl } from './url-state.ts'
import type { ChangeUrl } from './use-url.ts'

/** Bars shown before "Show all" is pressed. */
const FIRST_BARS = 6

/** Findings by type, each bar divided by action or confidence. Pressing a bar sets the filter. */
export function Picture({ cells, url, change }: { cells: readonly Cell[]; url: ReviewUrl; change: ChangeUrl }) {
  const [showsAll, setShowsAll] = useState(false)
  const rows = rowsOf(cells, url.by)
  const parts = partsOf(url.by)
  const max = rows[0]?.total ?? 0
  if (rows.length === 0) return null
  const choose = (row: TypeRow, part: Part | null) => change(filterFor(row, part, url.by))
  return (
    <Figure
      title="Findings by type"
      summary={pictureSentence(rows, url.by)}
      legend={<Legend parts={parts} url={url} change={change} />}
      table={{
        caption: `Findings by type and ${url.by}`,
        rows,
        keyOf: ({ type }) => type,
        columns: [
          {
            id: 'type',
            label: 'Type',
            cell: (row) => <TextLink href={formatUrl({ ...url, ...filterFor(row, null, url.by) })}>{piiWord(row.type)}</TextLink>,
          },
          ...parts.map((part) => ({
            id: part.id,
            label: part.label,
            numeric: true,
            cell: (row: TypeRow) => formatCount(row.counts[part.id] ?? 0),
          })),
          { id: 'all', label: 'All', numeric: true, cell: ({ total }) => formatCount(total) },
        ],
      }}
    >
      <ul className="flex flex-col">
        {(showsAll ? rows : rows.slice(0, FIRST_BARS)).map((row) => (
          <li key={row.type} className="flex items-center gap-2">
            <button
              type="button"
              aria-pressed={url.types.length === 1 && url.types[0] === row.type}
              onClick={() => choose(row, null)}
              className={cn(
                'focus-inset flex h-6 min-w-0 flex-1 items-center gap-2 rounded-sm text-left text-xs hover:bg-raised',
                url.types.length > 0 && !url.types.includes(row.type) && 'text-second',
              )}
            >
              <span className="w-36 shrink-0 truncate">{piiWord(row.type)}</span>
              <span aria-hidden className="flex h-3 min-w-0 flex-1">
                {parts.map((part) => (
                  <Segment key={part.id} row={row} part={part} max={max} by={url.by} onChoose={() => choose(row, part)} />
                ))}
              </span>
              <span className="w-14 shrink-0 text-right font-mono">{formatCount(row.total)}</span>
            </button>
          </li>
        ))}
      </ul>
      {rows.length > FIRST_BARS ? (
        <button type="button" onClick={() => setShowsAll(!showsAll)} className="min-h-6 self-start px-1 text-xs text-accent underline">
          {showsAll ? 'Show fewer types' : `Show all ${formatCount(rows.length)} types`}
        </button>
      ) : null}
    </Figure>
  )
}

function filterFor(row: TypeRow, part: Part | null, by: ReviewUrl['by']): Partial<ReviewUrl> {
  const types = [row.type]
  if (part === null) return { types, action: null, band: null, id: null }
  return by === 'action'
    ? { types, action: PrivacyAction.parse(part.id), band: null, id: null }
    : { types, action: null, band: BANDS.find(({ low }) => String(low) === part.id) ?? null, id: null }
}

/** A part of a bar. For the pointer only: keyboard users have the facets and the table. */
function Segment({ row, part, max, by, onChoose }: { row: TypeRow; part: Part; max: number; by: string; onChoose: () => void }) {
  const count = row.counts[part.id] ?? 0
  if (count === 0) return null
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <span
      title={`${piiWord(row.type)}, ${by} ${part.label}: ${formatCount(count)}`}
      onClick={(event) => {
        event.stopPropagation()
        onChoose()
      }}
      style={{ width: `${(count / max) * 100}%`, minWidth: 3, background: part.color }}
      className="h-full first:rounded-l-[2px] last:rounded-r-[2px]"
    />
  )
}

function Legend({ parts, url, change }: { parts: readonly Part[]; url: ReviewUrl; change: ChangeUrl }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-second">
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {parts.map(({ id, label, color }) => (
          <li key={id} className="flex items-center gap-1.5">
            <span aria-hidden className="size-2 rounded-[2px]" style={{ background: color }} />
            {label}
          </li>
        ))}
      </ul>
      <button
        type="button"
        onClick={() => change({ by: url.by === 'action' ? 'confidence' : 'action' }, { replace: true })}
        className="min-h-6 text-accent underline"
      >
        {url.by === 'action' ? 'Show by confidence' : 'Show by action'}
      </button>
    </div>
  )
}
