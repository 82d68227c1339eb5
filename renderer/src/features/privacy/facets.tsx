import { useState } from 'react'
import { PrivacyAction, type PiiType } from '#contracts/entities/privacy.ts'
import { actionWord, piiWord } from '#renderer/app/words/privacy.ts'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { countsOf } from './picture-data.ts'
import type { useFacets } from './queries.ts'
import { BANDS, type ReviewUrl } from './url-state.ts'
import type { ChangeUrl } from './use-url.ts'

type Facets = ReturnType<typeof useFacets>
interface Counted {
  value: string
  count: number
}

/** The filter, to click: each choice is part of the address. `pictured` counts what is not chosen, too. */
export function FacetsPanel({ url, change, facets, pictured }: { url: ReviewUrl; change: ChangeUrl; facets: Facets; pictured: Facets }) {
  const error = pictured.data ? null : (pictured.error ?? facets.error)
  if (error) return <ErrorState title="Couldn't count the findings" error={error} retry={() => void pictured.refetch()} className="m-3" />
  if (!pictured.data || !facets.data)
    return (
      <Loading label="Counting findings" className="flex flex-col gap-2 p-3">
        {Array.from({ length: 12 }, (_, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- all alike
          <Skeleton key={index} className="h-5" />
        ))}
      </Loading>
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
      <Facet title="Type" values={countsOf(cells, url, 'type')} chosen={url.types} word={piiWord} onChange={setType} />
      <Facet
        title="Action"
        values={countsOf(cells, url, 'action')}
        chosen={listOf(url.action)}
        word={actionWord}
        onChange={(value, on) => change({ action: on ? PrivacyAction.parse(value) : null })}
      />
      <Facet
        title="Confidence"
        values={countsOf(cells, url, 'confidence').toSorted((a, b) => Number(b.value) - Number(a.value))}
        chosen={listOf(url.band && String(url.band.low))}
        word={(value) => BANDS.find(({ low }) => String(low) === value)?.label ?? value}
        onChange={(value, on) => change({ band: (on && BANDS.find(({ low }) => String(low) === value)) || null })}
      />
      <Facet title="Project" values={facets.data.project} chosen={listOf(url.project)} isPath onChange={one('project')} />
      <Facet title="Detector" values={facets.data.detector} chosen={listOf(url.detector)} onChange={one('detector')} />
      <Facet title="File" values={facets.data.file} chosen={listOf(url.file)} isPath onChange={one('file')} />
    </div>
  )
}

const listOf = (value: string | null): string[] => (value === null ? [] : [value])

const asItIs = (value: string): string => value

/** Values that a facet lists before the rest is asked for. */
const FIRST_VALUES = 6

function Facet({
  title,
  values,
  chosen,
  word = asItIs,
  isPath = false,
  onChange,
}: {
  title: string
  values: readonly Counted[]
  chosen: readonly string[]
  word?: (value: string) => string
  /** The end says more than the beginning. */
  isPath?: boolean
  onChange: (value: string, on: boolean) => void
}) {
  const [all, setAll] = useState(false)
  const missing = chosen.filter((value) => !values.some((known) => known.value === value)).map((value) => ({ value, count: 0 }))
  const listed = [...missing, ...values]
  if (listed.length === 0) return null
  const shown = all ? listed : listed.filter(({ value }, index) => index < FIRST_VALUES || chosen.includes(value))
  return (
    <fieldset className="min-w-0">
      <legend className="pb-1 text-xs font-semibold">{title}</legend>
      {shown.map(({ value, count }) => {
        const id = `facet-${title}-${value}`
        const text = word(value)
        return (
          <div key={value} className="flex h-7 items-center gap-1 rounded-sm pr-1 hover:bg-raised">
            <Checkbox id={id} checked={chosen.includes(value)} onChange={(on) => onChange(value, on)} />
            <label htmlFor={id} className="flex min-w-0 flex-1 cursor-pointer items-center gap-2 text-xs">
              <span className="min-w-0 flex-1 truncate" title={text}>
                {isPath ? (text.split('/').findLast(Boolean) ?? text) : text}
              </span>
              <span className="shrink-0 font-mono text-second">{formatCount(count)}</span>
            </label>
          </div>
        )
      })}
      {listed.length > FIRST_VALUES ? (
        <button type="button" onClick={() => setAll(!all)} className="min-h-6 px-1 text-xs text-accent underline">
          {all ? 'Show fewer' : `Show all ${formatCount(listed.length)}`}
        </button>
      ) : null}
    </fieldset>
  )
}
