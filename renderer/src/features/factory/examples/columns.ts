import { fitColumns } from '#renderer/ui/lists/fit-columns.ts'
import type { GridColumn } from '#renderer/ui/lists/row-grid-types.ts'
import type { SortKey } from './url.ts'

export type ColumnId = 'tier' | 'prompt' | 'repo' | 'steps' | 'turns' | 'tokens' | 'findings' | 'flags' | 'state'

export interface Column extends GridColumn {
  id: ColumnId
  sort: SortKey | null
}

const COLUMNS: readonly Column[] = [
  { id: 'tier', label: 'Tier', width: 40, numeric: false, sort: null, leaves: 4 },
  { id: 'prompt', label: 'Prompt', width: 170, grows: true, numeric: false, sort: null, leaves: null },
  { id: 'repo', label: 'Repository', width: 120, numeric: false, sort: 'repo', leaves: 3 },
  { id: 'steps', label: 'Steps', width: 76, numeric: true, sort: '-steps', leaves: 6 },
  { id: 'turns', label: 'Turns', width: 76, numeric: true, sort: '-turns', leaves: 7 },
  { id: 'tokens', label: 'Tokens ≈', width: 88, numeric: true, sort: '-tokens', leaves: 1 },
  { id: 'findings', label: 'Findings', width: 84, numeric: true, sort: null, leaves: 5 },
  { id: 'flags', label: 'Flags', width: 200, numeric: false, sort: null, leaves: 8 },
  { id: 'state', label: 'State', width: 92, numeric: false, sort: null, leaves: null },
]

export const columnsFor = (width: number): Column[] => fitColumns(COLUMNS, width)
