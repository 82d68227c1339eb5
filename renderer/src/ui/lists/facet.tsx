import { useState, type ReactNode } from 'react'
import { Checkbox } from '../checkbox.tsx'
import { formatCount } from '../format.ts'
import { Loading, Skeleton } from '../states.tsx'

/** Values shown before "Show all". */
const FIRST_VALUES = 6

const identity = (value: string): string => value

/** Values of one field with their counts. Chosen values are listed even if no row has them. */
export function Facet({
  title,
  values,
  chosen,
  labelOf = identity,
  titleOf = identity,
  onChange,
}: {
  title: string
  values: readonly { value: string; count: number }[]
  chosen: readonly string[]
  labelOf?: (value: string) => ReactNode
  /** The full value, if its label shows a part. */
  titleOf?: (value: string) => string
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
      {shown.map(({ value, count }) => (
        <FacetValue
          key={value}
          id={`facet-${title}-${value}`}
          checked={chosen.includes(value)}
          count={count}
          title={titleOf(value)}
          onChange={(on) => onChange(value, on)}
        >
          {labelOf(value)}
        </FacetValue>
      ))}
      {listed.length > FIRST_VALUES ? (
        <button type="button" onClick={() => setAll(!all)} className="min-h-6 px-1 text-xs text-accent underline">
          {all ? 'Show fewer' : `Show all ${formatCount(listed.length)}`}
        </button>
      ) : null}
    </fieldset>
  )
}

export const FacetValue = ({
  id,
  checked,
  count,
  title,
  onChange,
  children,
}: {
  id: string
  checked: boolean
  /** Null or undefined: not counted. */
  count: number | null | undefined
  title?: string
  onChange: (on: boolean) => void
  children: ReactNode
}) => (
  <div className="flex h-7 items-center gap-1 rounded-sm pr-1 hover:bg-raised">
    <Checkbox id={id} checked={checked} onChange={onChange} />
    <label htmlFor={id} className="flex min-w-0 flex-1 cursor-pointer items-center gap-2 text-xs">
      <span className="min-w-0 flex-1 truncate" title={title}>
        {children}
      </span>
      <span className="shrink-0 font-mono text-second">{formatCount(count)}</span>
    </label>
  </div>
)

export const FacetsSkeleton = ({ label, rows }: { label: string; rows: number }) => (
  <Loading label={label} className="flex flex-col gap-2">
    {Array.from({ length: rows }, (_, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- all alike
      <Skeleton key={index} className="h-5" />
    ))}
  </Loading>
)
