import { PrivacyAction, type PiiType } from '#contracts/entities/privacy.ts'
import { actionWord, piiWord } from '#renderer/app/words/privacy.ts'
import { Facet, FacetsSkeleton } from '#renderer/ui/lists/facet.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { countsOf } from './picture-data.ts'
import type { useFacets } from './queries.ts'
import { BANDS, type ReviewUrl } from './url-state.ts'
import type { ChangeUrl } from './use-url.ts'

type Facets = ReturnType<typeof useFacets>

/** The filter as checkboxes; each choice is part of the address. `pictured` also counts values that are not selected. */
export function FacetsPanel({ url, change, facets, pictured }: { url: ReviewUrl; change: ChangeUrl; facets: Facets; pictured: Facets }) {
  const error = pictured.data ? null : (pictured.error ?? facets.error)
  if (error) return <ErrorState title="Couldn't count the findings" error={error} retry={() => void pictured.refetch()} className="m-3" />
  if (!pictured.data || !facets.data)
    return (
      <div className="p-3">
        <FacetsSkeleton label="Counting findings" rows={12} />
      </div>
    )
  const { cells } = pictured.data
  const setType = (value: string, on: boolean) => {
    const type = value as PiiType // from the cells, which hold types only
    change({ types: on ? [...url.types, type] : url.types.filter((known) => known !== type) })
  }
  const one =
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
      <Facet title="Project" values={facets.data.project} chosen={listOf(url.project)} labelOf={lastPart} onChange={one('project')} />
      <Facet title="Detector" values={facets.data.detector} chosen={listOf(url.detector)} onChange={one('detector')} />
      <Facet title="File" values={facets.data.file} chosen={listOf(url.file)} labelOf={lastPart} onChange={one('file')} />
    </div>
  )
}

const listOf = (value: string | null): string[] => (value === null ? [] : [value])

const bandWord = (value: string): string => BANDS.find(({ low }) => String(low) === value)?.label ?? value

/** Of a path the end says more than the beginning. */
const lastPart = (path: string): string => path.split('/').findLast(Boolean) ?? path
