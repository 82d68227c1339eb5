import type { MouseEvent, ReactNode, Ref } from 'react'
import type { ArchiveFinding } from '#contracts/entities/privacy.ts'
import { actionWord, deciderWord, piiWord } from '#renderer/api/privacy-words.ts'
import { useRowPx } from '#renderer/stores/theme.ts'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { fitColumns } from '#renderer/ui/fit-columns.ts'
import { formatScore } from '#renderer/ui/format.ts'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { RowGrid, type RowGridHandle } from '#renderer/ui/row-grid.tsx'
import { isSelected, type Selection } from '#renderer/ui/selection.ts'
import { Loading, Skeleton } from '#renderer/ui/states.tsx'

interface Props {
  rows: readonly ArchiveFinding[]
  total: number
  currentId: string | null
  openId: string | null
  selection: Selection
  /** Rows of a former filter, shown until those of the new one are there. */
  stale: boolean
  onEnd: () => void
  onPress: (finding: ArchiveFinding, event: MouseEvent) => void
  onToggle: (finding: ArchiveFinding) => void
  onSelectAll: (all: boolean) => void
  ref: Ref<RowGridHandle>
}

interface Column {
  id: string
  label: string
  /** Width in px; the value takes what is left, and never less than this. */
  width: number
  /** Which goes first where the list is narrow: the highest number. Null stays. */
  leaves: number | null
  numeric?: boolean
  cell: (finding: ArchiveFinding) => ReactNode
}

const COLUMNS: readonly Column[] = [
  { id: 'type', label: 'Type', width: 136, leaves: null, cell: ({ type }) => <span className="truncate">{piiWord(type)}</span> },
  {
    id: 'preview',
    label: 'Masked',
    width: 140,
    leaves: null,
    cell: ({ preview }) => (
      <span className="truncate font-mono text-xs" title={preview}>
        {preview}
      </span>
    ),
  },
  {
    id: 'where',
    label: 'Where',
    width: 220,
    leaves: 3,
    cell: (finding) => <MiddleCut text={placeOf(finding)} end={18} className="text-xs" />,
  },
  {
    id: 'detector',
    label: 'Detector',
    width: 112,
    leaves: 4,
    cell: ({ detector }) => <span className="truncate text-xs">{detector}</span>,
  },
  {
    id: 'confidence',
    label: 'Confidence',
    width: 92,
    leaves: 2,
    numeric: true,
    cell: ({ confidence, validated }) => (
      <span
        className="font-mono text-xs"
        title={validated ? 'proved by a checksum, a range or its format' : 'not proved: by its form and what stands around it'}
      >
        {validated ? '✓ ' : ''}
        {formatScore(confidence)}
      </span>
    ),
  },
  {
    id: 'action',
    label: 'Action',
    width: 128,
    leaves: 1,
    cell: ({ action, decidedBy }) => (
      <span className="flex min-w-0 items-center gap-1.5 text-xs" title={`decided by ${deciderWord(decidedBy)}`}>
        <ActionMark action={action} />
        <span className="truncate">{actionWord(action)}</span>
        {decidedBy === 'policy' ? null : <span className="text-second">· you</span>}
      </span>
    ),
  },
]
const columnsFor = (width: number): Column[] => fitColumns(COLUMNS, width)

/** File and session of a finding; what is not known is left out. */
function placeOf({ file, project, traceId, part, path }: ArchiveFinding): string {
  const place = file ?? project ?? `session ${traceId.slice(0, 8)}`
  return `${place} · ${part === 'result' ? 'output' : path ? 'input' : 'text'}`
}

const SHAPES: Record<ArchiveFinding['action'], string> = {
  redact: 'bg-text',
  replace: 'border border-text bg-[linear-gradient(135deg,var(--text)_50%,transparent_50%)]',
  keep: 'border border-edge',
}
/** Filled: its label; half: something else; empty: left as it is. */
export const ActionMark = ({ action }: { action: ArchiveFinding['action'] }) => (
  <span aria-hidden className={cn('size-2.5 shrink-0 rounded-[2px]', SHAPES[action])} />
)

/** The findings that the filter holds. */
export function FindingList(props: Props) {
  const { rows, total, currentId, openId, selection, stale, onEnd, onPress, onToggle, ref } = props
  return (
    <RowGrid
      ref={ref}
      label="Findings"
      rows={rows}
      total={total}
      currentId={currentId}
      rowPx={useRowPx()}
      stale={stale}
      onEnd={onEnd}
      columnsFor={columnsFor}
      header={(columns) => <Header {...props} columns={columns} />}
    >
      {(finding, columns, { domId, index }) => (
        // the keys of the list are the grid's
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          id={domId}
          role="row"
          aria-rowindex={index + 2}
          aria-selected={isSelected(selection, finding.id)}
          aria-current={finding.id === openId || undefined}
          onClick={(event) => onPress(finding, event)}
          className={cn(
            'flex h-full cursor-default items-center border-b border-line pl-1 text-sm',
            finding.id === openId ? 'bg-raised' : isSelected(selection, finding.id) ? 'bg-accent/12' : 'hover:bg-raised/60',
            finding.id === currentId && 'outline-2 -outline-offset-2 outline-accent',
          )}
        >
          <div role="gridcell" className="flex w-8 shrink-0 justify-center">
            <Checkbox
              label={`Select ${piiWord(finding.type)} ${finding.preview}`}
              checked={isSelected(selection, finding.id)}
              onChange={() => onToggle(finding)}
              onClick={(event) => event.stopPropagation()}
              tabIndex={-1}
            />
          </div>
          {columns.map((column) => (
            <div key={column.id} role="gridcell" style={styleOf(column)} className={cellClass(column)}>
              {column.cell(finding)}
            </div>
          ))}
        </div>
      )}
    </RowGrid>
  )
}

const styleOf = ({ id, width }: Column) => (id === 'preview' ? { flex: 1, minWidth: 0 } : { width })
const cellClass = ({ id, numeric }: Column) =>
  cn('flex h-full min-w-0 items-center px-2', id !== 'preview' && 'shrink-0', numeric === true && 'justify-end')

function Header({ columns, selection, rows, onSelectAll }: Props & { columns: readonly Column[] }) {
  const count = selection.kind === 'ids' ? selection.ids.size : rows.length
  const isAll = rows.length > 0 && count >= rows.length
  return (
    <div role="rowgroup" className="sticky top-0 z-20 bg-bg">
      <div role="row" aria-rowindex={1} className="flex h-8 items-center border-b border-line pl-1 text-xs text-second">
        <div role="columnheader" aria-label="Selected" className="flex w-8 shrink-0 justify-center">
          <Checkbox
            label="Select all rows that are listed"
            checked={isAll ? true : count > 0 ? 'indeterminate' : false}
            onChange={() => onSelectAll(count === 0)}
          />
        </div>
        {columns.map((column) => (
          <div key={column.id} role="columnheader" style={styleOf(column)} className={cellClass(column)}>
            <span className="truncate">{column.label}</span>
          </div>
        ))}
      </div>
    </div>
  )
}

/** The list before its first rows: header and rows of the final height. */
export const FindingsSkeleton = () => (
  <Loading label="Reading the findings" className="min-h-0 flex-1 overflow-hidden">
    <div className="h-8 border-b border-line" />
    {Array.from({ length: 30 }, (_, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- all alike
      <div key={index} className="flex h-(--row) items-center gap-3 border-b border-line px-3">
        <Skeleton className="size-4" />
        <Skeleton className="w-32" />
        <Skeleton className="flex-1" />
        <Skeleton className="w-20" />
      </div>
    ))}
  </Loading>
)
