import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import { TierMark } from '#renderer/ui/tier-mark.tsx'
import { useFacets } from '../queries.ts'
import type { TracesUrl } from '../url-state.ts'
import type { ChangeUrl } from '../use-url.ts'
import { toggleValue, valuesOf } from './query-text.ts'

/** Gold that no test, build or lint confirmed: a part of the tier that is worth a filter of its own. */
export function UnverifiedFacet({ url, onChange }: { url: TracesUrl; onChange: ChangeUrl }) {
  const isChosen = valuesOf(url.q, 'is').includes('unverified')
  const withIt = isChosen ? url.q : toggleValue(url.q, 'is', 'unverified')
  const counted = useFacets({ ...url, q: withIt })
  if (!isChosen && !counted.data?.total) return null
  return (
    <div className="-mt-5 flex h-7 items-center gap-1 rounded-sm pr-1 hover:bg-raised">
      <Checkbox id="facet-is-unverified" checked={isChosen} onChange={() => onChange({ q: toggleValue(url.q, 'is', 'unverified') })} />
      <label htmlFor="facet-is-unverified" className="flex min-w-0 flex-1 cursor-pointer items-center gap-2 text-xs">
        <span className="min-w-0 flex-1 truncate">
          <TierMark mark="gold" word unverified />
        </span>
        <span className="shrink-0 font-mono text-second">{formatCount(counted.data?.total)}</span>
      </label>
    </div>
  )
}
