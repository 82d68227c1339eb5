import { fitColumns } from '#renderer/ui/lists/fit-columns.ts'
import type { GridColumn } from '#renderer/ui/lists/row-grid-types.ts'
import type { SortKey } from '../url-state.ts'

export type ColumnId =
  | 'title'
  | 'tier'
  | 'repo'
  | 'outcome'
  | 'quality'
  | 'grade'
  | 'toolCalls'
  | 'tokens'
  | 'cost'
  | 'duration'
  | 'age'
  | 'started'
  | 'tags'
  | 'model'

export interface Column extends GridColumn {
  id: ColumnId
  sort: SortKey | null
}

/** In display order. */
export const COLUMNS: readonly Column[] = [
  { id: 'tier', label: 'Tier', width: 118, numeric: false, sort: 'tier', leaves: null },
  { id: 'title', label: 'Session', width: 200, grows: true, numeric: false, sort: 'title', leaves: null },
  { id: 'repo', label: 'Repository', width: 96, numeric: false, sort: 'repo', leaves: 2 },
  { id: 'outcome', label: 'Outcome', width: 212, numeric: false, sort: null, leaves: 3 },
  { id: 'quality', label: 'Quality', width: 70, numeric: true, sort: '-quality', leaves: 7 },
  { id: 'grade', label: 'Grade', width: 66, numeric: true, sort: '-answerScore', leaves: 4 },
  { id: 'toolCalls', label: 'Calls', width: 58, numeric: true, sort: '-toolCalls', leaves: 5 },
  { id: 'tokens', label: 'Tokens', width: 70, numeric: true, sort: '-tokens', leaves: 8 },
  { id: 'cost', label: 'Cost', width: 70, numeric: true, sort: '-cost', leaves: 6 },
  { id: 'duration', label: 'Duration', width: 84, numeric: true, sort: '-duration', leaves: 9 },
  { id: 'age', label: 'Age', width: 92, numeric: true, sort: '-endedAt', leaves: 1 },
  { id: 'started', label: 'Started', width: 132, numeric: true, sort: '-startedAt', leaves: 12 },
  { id: 'tags', label: 'Tags', width: 120, numeric: false, sort: null, leaves: 10 },
  { id: 'model', label: 'Model', width: 140, numeric: false, sort: null, leaves: 11 },
]

export const DEFAULT_COLUMNS: readonly ColumnId[] = COLUMNS.map(({ id }) => id).filter((id) => id !== 'started' && id !== 'model')

/** Below this width the tier is shown as its mark only. */
const WORDS_FROM_PX = 520
export const TIER_MARK_PX = 36

/** The title gets this share of the list's width, up to a maximum. */
const TITLE = { share: 0.42, maxPx: 420 } as const

/** Width of a character and of a cell's padding; slightly more than needed, for names with wide letters. */
const CHAR_PX = 7.5
const PADDING_PX = 16
const REPO_PX = { min: 96, max: 260 } as const

/** Width that shows the longest of these names in full, up to a maximum. */
export const repoPx = (repos: readonly (string | null)[]): number =>
  Math.min(
    REPO_PX.max,
    repos.reduce((px, repo) => Math.max(px, Math.ceil((repo?.length ?? 0) * CHAR_PX) + PADDING_PX), REPO_PX.min as number),
  )

/** The chosen columns that fit into a width; the least important are dropped first. `repo` is the width of the repository column. */
export const columnsFor = (chosen: readonly ColumnId[], width: number, repo: number = REPO_PX.min): Column[] =>
  fitColumns(
    COLUMNS.filter(({ id, leaves }) => leaves === null || chosen.includes(id)).map((column) => {
      if (column.id === 'tier' && width < WORDS_FROM_PX) return { ...column, width: TIER_MARK_PX }
      if (column.id === 'title') return { ...column, width: Math.max(column.width, Math.min(TITLE.maxPx, Math.round(width * TITLE.share))) }
      return column.id === 'repo' ? { ...column, width: repo } : column
    }),
    width,
  )
