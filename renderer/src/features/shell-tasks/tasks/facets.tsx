import type { ShellTaskSource } from '#contracts/entities/shell-task.ts'
import type { ShellTaskFilter } from '#contracts/routes/shell-tasks.ts'
import { own } from '#contracts/lookup.ts'
import { Facet, FacetsSkeleton } from '#renderer/ui/lists/facet.tsx'
import type { ChangeSearch } from '#renderer/ui/use-search.ts'
import { FACETS, type FacetName } from './filter.ts'
import { DIFFICULTY_WORDS, SOURCE_WORDS, STATUS_WORDS } from './words.ts'

const TITLES: Record<FacetName, string> = { split: 'Split', difficulty: 'Difficulty', source: 'Source', status: 'Validation' }

function labelOf(facet: FacetName, value: string): string {
  if (facet === 'difficulty') return own(DIFFICULTY_WORDS, value) ?? value
  if (facet === 'source') return own(SOURCE_WORDS as Record<string, string>, value as ShellTaskSource) ?? value
  return facet === 'status' ? (own(STATUS_WORDS as Record<string, { label: string }>, value)?.label ?? value) : value
}

export function ShellTaskFacets({
  filter,
  counts,
  change,
}: {
  filter: ShellTaskFilter
  /** Undefined while they are loading. */
  counts: Record<FacetName, Record<string, number>> | undefined
  change: ChangeSearch
}) {
  if (counts === undefined) return <FacetsSkeleton label="Counting values" rows={8} />
  return FACETS.map((facet) => {
    const selected: readonly string[] = filter[facet] ?? []
    return (
      <Facet
        key={facet}
        title={TITLES[facet]}
        values={Object.entries(counts[facet]).map(([value, count]) => ({ value, count }))}
        chosen={selected}
        labelOf={(value) => labelOf(facet, value)}
        titleOf={(value) => labelOf(facet, value)}
        onChange={(value, on) =>
          change({ [facet]: (on ? [...selected, value] : selected.filter((one) => one !== value)).join(',') || null })
        }
      />
    )
  })
}
