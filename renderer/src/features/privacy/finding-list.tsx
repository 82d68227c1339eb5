import type { ReactNode } from 'react'
import type { ArchiveFinding } from '#contracts/entities/privacy.ts'
import { actionWord, deciderWord, piiWord } from '#renderer/app/words/privacy.ts'
import { formatScore } from '#renderer/app/words/score.ts'
import { useRowPx } from '#renderer/stores/theme.ts'
import { cn } from '#renderer/ui/cn.ts'
import { fitColumns } from '#renderer/ui/lists/fit-columns.ts'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { GridSkeleton } from '#renderer/ui/lists/row-grid-parts.tsx'
import type { GridColumn, RowGridProps } from '#renderer/ui/lists/row-grid-types.ts'
import { RowGrid } from '#renderer/ui/lists/row-grid.tsx'
import { Skeleton } from '#renderer/ui/states.tsx'

interface Column extends GridColumn {
  cell: (finding: ArchiveFinding) => ReactNode
}

const COLUMNS: readonly Column[] = [
  { id: 'type', label: 'Type', width: 136, leaves: null, cell: ({ type }) => <span className="block truncate">{piiWord(type)}</span> },
  {
    id: 'preview',
    label: 'Masked',
    width: 140,
    grows: true,
    leaves: null,
    cell: ({ preview }) => (
      <span className="block truncate font-mono text-xs" title={preview}>
        {preview}
      </span>
    ),
  },
  {
    id: 'where',
    label: 'Location',
    width: 220,
    leaves: 3,
    cell: (finding) => <MiddleCut text={placeOf(finding)} end={18} className="text-xs" />,
  },
  {
    id: 'detector',
    label: 'Detector',
    width: 112,
    leaves: 4,
    cell: ({ detector }) => <span className="block truncate text-xs">{detector}</span>,
  },
  {
    id: 'confidence',
    label: 'Confidence',
    width: 92,
    leaves: 2,
    numeric: true,
    cell: ({ confidence, validated }) => (
      <span title={validated ? 'confirmed by checksum, range or format' : 'not confirmed; based on form and context'}>
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

/** The most specific known location of a finding. */
function placeOf({ file, project, traceId, part, path }: ArchiveFinding): string {
  const place = file ?? project ?? `session ${traceId.slice(0, 8)}`
  return `${place} · ${part === 'result' ? 'output' : path ? 'input' : 'text'}`
}

const SHAPES: Record<ArchiveFinding['action'], string> = {
  redact: 'bg-text',
  replace: 'border border-text bg-[linear-gradient(135deg,var(--text)_50%,transparent_50%)]',
  keep: 'border border-edge',
}
/** Filled: redacted; half: replaced; empty: kept. */
export const ActionMark = ({ action }: { action: ArchiveFinding['action'] }) => (
  <span aria-hidden className={cn('size-2.5 shrink-0 rounded-[2px]', SHAPES[action])} />
)

type Props = Omit<RowGridProps<ArchiveFinding, Column>, 'label' | 'sort' | 'rowPx' | 'columnsFor' | 'cell' | 'nameOf'>

export const FindingList = (props: Props) => (
  <RowGrid
    {...props}
    label="Findings"
    sort={null}
    rowPx={useRowPx()}
    allRows="all listed rows"
    columnsFor={columnsFor}
    cell={cellOf}
    nameOf={nameOf}
  />
)
const cellOf = (finding: ArchiveFinding, column: Column) => column.cell(finding)
const nameOf = ({ type, preview }: ArchiveFinding) => `${piiWord(type)} ${preview}`

export const FindingsSkeleton = () => (
  <GridSkeleton label="Loading findings">
    <Skeleton className="w-32" />
    <Skeleton className="flex-1" />
    <Skeleton className="w-20" />
  </GridSkeleton>
)
