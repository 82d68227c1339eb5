import { useCallback, type ReactNode } from 'react'
import { fitColumns } from './fit-columns.ts'
import type { GridColumn } from './row-grid-types.ts'

/** A column that renders its own cells. */
export interface CellColumn<Row> extends GridColumn {
  cell: (row: Row) => ReactNode
}

interface GridCells<Row> {
  columnsFor: (width: number) => readonly CellColumn<Row>[]
  cell: (row: Row, column: CellColumn<Row>) => ReactNode
}

/** The props of a grid with such columns. `columns` must stay the same list between renders. */
export const useCellColumns = <Row>(columns: readonly CellColumn<Row>[]): GridCells<Row> => ({
  columnsFor: useCallback((width: number) => fitColumns(columns, width), [columns]),
  cell: cellOf,
})

const cellOf = <Row>(row: Row, column: CellColumn<Row>): ReactNode => column.cell(row)
