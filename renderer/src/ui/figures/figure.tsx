import { useId, useState, type ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Table, type TableProps } from '../table.tsx'

/**
 * A chart with a one-sentence summary for screen readers, and the same values as a table. `summary` must be computed
 * from the data.
 */
export function Figure<Row>({
  title,
  summary,
  table,
  legend,
  children,
}: {
  title: string
  summary: string
  table: TableProps<Row>
  legend?: ReactNode
  children: ReactNode
}) {
  const [asTable, setAsTable] = useState(false)
  const id = useId()
  return (
    <figure aria-labelledby={id} className="flex min-w-0 flex-col gap-2">
      <div className="flex items-start justify-between gap-x-4">
        <figcaption id={id} className="min-w-0 flex-1 pt-1 text-sm">
          <span className="font-semibold">{title}.</span> <span className="text-second">{summary}</span>
        </figcaption>
        <Button look="quiet" size="small" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </div>
      {asTable ? (
        <div className="max-h-72 overflow-y-auto rounded border border-line px-3">
          <Table {...table} />
        </div>
      ) : (
        children
      )}
      {legend}
    </figure>
  )
}
