import { FacetValue } from '#renderer/ui/lists/facet.tsx'
import { TierMark } from '#renderer/ui/tier-mark.tsx'
import { useFacets } from '../queries.ts'
import type { TracesUrl } from '../url-state.ts'
import type { ChangeUrl } from '../use-url.ts'
import { toggleValue, valuesOf } from './query-text.ts'

/** Gold that no test, build or lint confirmed, as its own filter. */
export function UnverifiedFacet({ url, onChange }: { url: TracesUrl; onChange: ChangeUrl }) {
  const isChosen = valuesOf(url.q, 'is').includes('unverified')
  const unverifiedQuery = isChosen ? url.q : toggleValue(url.q, 'is', 'unverified')
  const counted = useFacets({ ...url, q: unverifiedQuery })
  if (!isChosen && !counted.data?.total) return null
  return (
    <div className="-mt-5">
      <FacetValue
        id="facet-is-unverified"
        checked={isChosen}
        count={counted.data?.total}
        onChange={() => onChange({ q: toggleValue(url.q, 'is', 'unverified') })}
      >
        <TierMark mark="gold" word unverified />
      </FacetValue>
    </div>
  )
}
