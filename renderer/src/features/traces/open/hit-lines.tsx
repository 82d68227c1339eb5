import type { TimelineRow } from '#contracts/entities/step.ts'
import { cn } from '#renderer/ui/cn.ts'
import { HitLine } from '../hit-line.tsx'
import type { TraceSearch } from './use-trace-search.ts'

/** More are reached with Enter in the search field. */
const MAX_LINES = 100

/** Hits of the search: one line each, with the words marked. */
export function HitLines({
  search: { hits, lines },
  rows,
  selected,
  onSelect,
}: {
  search: TraceSearch
  rows: readonly TimelineRow[]
  selected: number
  onSelect: (index: number) => void
}) {
  if (hits.length === 0) return null
  return (
    <ul aria-label="Search hits" className="max-h-28 shrink-0 overflow-y-auto border-b border-line px-2 py-1">
      {hits.slice(0, MAX_LINES).map((index) => {
        const line = lines.get(index)
        const row = rows[index]
        if (!line || !row) return null
        return (
          <li key={row.id}>
            <button
              type="button"
              aria-current={index === selected || undefined}
              onClick={() => onSelect(index)}
              className={cn(
                'focus-inset flex min-h-6 w-full items-center gap-2 rounded-sm px-2 text-left text-xs hover:bg-raised',
                index === selected && 'bg-raised',
              )}
            >
              <span className="w-16 shrink-0 truncate text-second">{row.tool ?? WORDS.get(row.kind) ?? row.kind}</span>
              <HitLine line={line} />
            </button>
          </li>
        )
      })}
    </ul>
  )
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['prompt', 'You'],
  ['text', 'Assistant'],
  ['thinking', 'Thinking'],
  ['notice', 'Notice'],
  ['error', 'Error'],
  ['compaction', 'Summary'],
])
