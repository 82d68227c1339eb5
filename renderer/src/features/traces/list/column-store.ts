import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { DEFAULT_COLUMNS, type ColumnId } from './columns.ts'

/** Columns that the user wants to see if they fit; stored in this browser. */
export const useColumns = create<{ chosen: readonly ColumnId[]; facetsOpen: boolean }>()(
  persist((): { chosen: readonly ColumnId[]; facetsOpen: boolean } => ({ chosen: DEFAULT_COLUMNS, facetsOpen: false }), {
    name: 'bashgym.traces',
  }),
)

export const toggleColumn = (id: ColumnId) =>
  useColumns.setState(({ chosen }) => ({ chosen: chosen.includes(id) ? chosen.filter((known) => known !== id) : [...chosen, id] }))
