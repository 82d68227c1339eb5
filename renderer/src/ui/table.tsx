import type { ReactNode } from 'react'
import { cn } from './cn.ts'

export interface Column<Row> {
  id: string
  label: ReactNode
  /** Aligned right. */
  numeric?: boolean
  cell: (row: Row) => ReactNode
  className?: string
}

export interface TableProps<Row> {
  caption: string
  columns: Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
}

/** A plain table for short lists (up to some hundred rows); longer ones use VirtualList. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div className="relative overflow-x-auto">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-left text-xs text-second">
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                className={cn('py-1.5 pr-4 font-normal whitespace-nowrap last:pr-0', column.numeric && 'text-right')}
              >
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-b-0">
              {columns.map((column) => (
                <td
                  key={column.id}
                  className={cn(
                    'py-1.5 pr-4 align-baseline last:pr-0',
                    column.numeric && 'text-right whitespace-nowrap tabular-nums',
                    column.className,
                  )}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
