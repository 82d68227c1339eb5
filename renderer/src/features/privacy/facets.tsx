import { PrivacyAction, type PiiType } from '#contracts/entities/privacy.ts'
import { actionWord, piiWord } from '#renderer/app/words/privacy.ts'
import { Facet, FacetsSkeleton } from '#renderer/ui/lists/facet.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { countsOf } from './picture-data.ts'
import type { useFacets } from './queries.ts'
import { BANDS, type ReviewUrl } from './url-state.ts'
import type { ChangeUrl } from './use-url.ts'

type Facets = ReturnType<typeof useFacets>

/** The filter as checkboxes. `chart` includes types, actions and confidences that are not selected. */
export function FacetsPanel({ url, change, facets, chart }: { url: ReviewUrl; change: ChangeUrl; facets: Facets; chart: Facets }) {
  const error = chart.data ? null : (chart.error ?? facets.error)
  if (error) return <ErrorState title="Couldn't count the findings" error={error} retry={() => void chart.refetch()} className="m-3" />
  if (!chart.data || !facets.data)
    return (
      <div className="p-3">
        <FacetsSkeleton label="Counting findings" rows={12} />
      </div>
    )
  const { cells } = chart.data
  const setType = (value: string, on: boolean) => {
    const type = value as PiiType // facet values come from the cells
    change({ types: on ? [...url.types, type] : url.types.filter((other) => other !== type) })
  }
  const setValue =
    (name: 'project' | 'file' | 'detector') =>
    (value: string, on: boolean): void =>
      change({ [name]: on ? value : null })
  return (
    <div className="flex flex-col gap-5 px-3 py-3">
      <Facet title="Type" values={countsOf(cells, url, 'type')} chosen={url.types} labelOf={piiWord} titleOf={piiWord} onChange={setType} />
      <Facet
        title="Action"
        values={countsOf(cells, url, 'action')}
        chosen={listOf(url.action)}
        labelOf={actionWord}
        titleOf={actionWord}
        onChange={(value, on) => change({ action: on ? PrivacyAction.parse(value) : null })}
      />
      <Facet
        title="Confidence"
        values={countsOf(cells, url, 'confidence').toSorted((a, b) => Number(b.value) - Number(a.value))}
        chosen={listOf(url.band && String(url.band.low))}
        labelOf={bandWord}
        titleOf={bandWord}
        onChange={(value, on) => change({ band: (on && BANDS.find(({ low }) => String(low) === value)) || null })}
      />
      <Facet title="Project" values={facets.data.project} chosen={listOf(url.project)} labelOf={lastPart} onChange={setValue('project')} />
      <Facet title="Detector" values={facets.data.detector} chosen={listOf(url.detector)} onChange={setValue('detector')} />
      <Facet title="File" values={facets.data.file} chosen={listOf(url.file)} labelOf={lastPart} onChange={setValue('file')} />
    </div>
  )
}

const listOf = (value: string | null): string[] => (value === null ? [] : [value])

const bandWord = (value: string): string => BANDS.find(({ low }) => String(low) === value)?.label ?? value

/** The end of a path is more specific than its beginning. */
const lastPart = (path: string): string => path.split('/').findLast(Boolean) ?? path
