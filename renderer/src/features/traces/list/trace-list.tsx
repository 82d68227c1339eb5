import { Columns3 } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import type { Trace } from '#contracts/entities/trace.ts'
import { useRowPx } from '#renderer/stores/theme.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { plural } from '#renderer/ui/format.ts'
import { Menu, MenuCheck, MenuLabel } from '#renderer/ui/menu.tsx'
import { GridSkeleton } from '#renderer/ui/lists/row-grid-parts.tsx'
import type { RowGridProps } from '#renderer/ui/lists/row-grid-types.ts'
import { RowGrid } from '#renderer/ui/lists/row-grid.tsx'
import { Skeleton } from '#renderer/ui/states.tsx'
import { CELLS, TIER_BARS, Title } from './cells.tsx'
import { toggleColumn, useColumns } from './column-store.ts'
import { useHitLines } from './hit-lines.ts'
import { searchedWords } from '../filter/query-text.ts'
import { COLUMNS, columnsFor, repoPx, type Column } from './columns.ts'

type Props = Omit<RowGridProps<Trace, Column>, 'label' | 'rowPx' | 'columnsFor' | 'cell' | 'nameOf'> & {
  newCount: number
  onNew: () => void
  /** The filter if it has words, so that their lines are shown; else ''. */
  searchFilter: string
}

/** Height of a title's second line, and of a line that matches the search. */
const LINE_PX = 18

/** The sessions that match the filter. */
export function TraceList({ newCount, onNew, searchFilter, ...list }: Props) {
  const chosen = useColumns((state) => state.chosen)
  const { rows, openId } = list
  const isTall = openId !== null
  const [shownRange, setShown] = useState({ first: 0, last: -1 })
  const words = useMemo(() => searchedWords(searchFilter), [searchFilter])
  const lines = useHitLines(searchFilter, rows, shownRange.first, shownRange.last)
  const hasGrades = useMemo(() => rows.some(({ answerScore }) => answerScore !== null), [rows])
  const shown = useMemo(() => (hasGrades ? chosen : chosen.filter((id) => id !== 'grade')), [chosen, hasGrades])
  const repo = useMemo(() => repoPx(rows.map((trace) => trace.repo)), [rows])
  return (
    <RowGrid
      {...list}
      label="Sessions"
      rowPx={useRowPx() + (isTall ? LINE_PX : 0) + (searchFilter === '' ? 0 : LINE_PX)}
      onShown={useCallback((first: number, last: number) => setShown({ first, last }), [])}
      columnsFor={useCallback((width: number) => columnsFor(shown, width, repo), [shown, repo])}
      cell={useCallback(
        (trace: Trace, column: Column) =>
          column.id === 'title' ? (
            <Title trace={trace} isTall={isTall} words={words} line={lines.get(trace.id)} />
          ) : (
            CELLS[column.id](trace, column)
          ),
        [isTall, words, lines],
      )}
      nameOf={nameOf}
      barOf={barOf}
      menu={<ColumnMenu />}
      notice={
        newCount > 0 ? (
          <div className="sticky top-8 z-10 flex h-0 justify-center overflow-visible">
            <Button size="small" look="primary" onClick={onNew} className="mt-1 shadow-float">
              {plural(newCount, 'new session')}
            </Button>
          </div>
        ) : null
      }
    />
  )
}
const nameOf = ({ title }: Trace) => title ?? 'session'
const barOf = ({ tier }: Trace) => TIER_BARS[tier]

function ColumnMenu() {
  const chosen = useColumns((state) => state.chosen)
  return (
    <Menu align="end" trigger={<IconButton size="small" icon={Columns3} label="Columns" />}>
      <MenuLabel>Columns (shown where they fit)</MenuLabel>
      {COLUMNS.filter(({ leaves }) => leaves !== null).map((column) => (
        <MenuCheck key={column.id} checked={chosen.includes(column.id)} onChange={() => toggleColumn(column.id)}>
          {column.label}
        </MenuCheck>
      ))}
    </Menu>
  )
}

/** The list before its first rows. */
export const ListSkeleton = () => (
  <GridSkeleton label="Loading sessions">
    <Skeleton className="w-4 @min-[520px]:w-16" />
    <Skeleton className="flex-1" />
    <Skeleton className="hidden w-24 @min-[520px]:block" />
    <Skeleton className="hidden w-16 @min-[520px]:block" />
  </GridSkeleton>
)
