import type { ReactNode } from 'react'
import { PrivacyAction, type ArchiveFinding } from '#contracts/entities/privacy.ts'
import { actionWord, deciderWord, piiWord } from '#renderer/app/words/privacy.ts'
import { formatScore } from '#renderer/app/words/score.ts'
import { useRowPx } from '#renderer/stores/theme.ts'
import { cn } from '#renderer/ui/cn.ts'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { fitColumns } from '#renderer/ui/lists/fit-columns.ts'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { GridSkeleton } from '#renderer/ui/lists/row-grid-parts.tsx'
import type { GridColumn, RowGridProps } from '#renderer/ui/lists/row-grid-types.ts'
import { RowGrid } from '#renderer/ui/lists/row-grid.tsx'
import { Skeleton } from '#renderer/ui/states.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { type ListedFinding, useFindingLine } from './queries.ts'

interface Column extends GridColumn {
  cell: (finding: ListedFinding) => ReactNode
}

const COLUMNS: readonly Column[] = [
  { id: 'type', label: 'Type', width: 136, leaves: null, cell: ({ type }) => <span className="block truncate">{piiWord(type)}</span> },
  {
    id: 'preview',
    label: 'Masked line',
    width: 140,
    grows: true,
    leaves: null,
    cell: (finding) => <MaskedLine finding={finding} />,
  },
  {
    id: 'where',
    label: 'Places',
    width: 150,
    leaves: 1,
    cell: (finding) =>
      finding.group !== null && finding.group.places > 1 ? (
        <span className="block truncate text-xs" title={`in ${plural(finding.group.sessions, 'session')}`}>
          {plural(finding.group.places, 'place')}
        </span>
      ) : (
        <MiddleCut text={placeOf(finding)} end={18} className="text-xs" />
      ),
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
    leaves: 3,
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
    leaves: 2,
    cell: (finding) => <Action finding={finding} />,
  },
]
const columnsFor = (width: number): Column[] => fitColumns(COLUMNS, width)

/** The mask until the line is read. */
function MaskedLine({ finding: { id, preview } }: { finding: ArchiveFinding }) {
  const line = useFindingLine(id).data
  return (
    <span className="block truncate font-mono text-xs" title={line ? `${line.before}${line.masked}${line.after}`.trim() : preview}>
      {line ? <Visible text={startOf(line.before.trimStart())} /> : null}
      <span className="font-semibold">{preview}</span>
      {line ? <Visible text={line.after} /> : null}
    </span>
  )
}
/** So that the mask is in view. */
const SHOWN_BEFORE = 20
const startOf = (before: string) => (before.length > SHOWN_BEFORE ? `…${before.slice(-SHOWN_BEFORE)}` : before)

function Action({ finding: { action, decidedBy, group } }: { finding: ListedFinding }) {
  const others = group === null ? [] : PrivacyAction.options.filter((other) => other !== action && group.actions[other] > 0)
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-xs" title={`decided by ${deciderWord(decidedBy)}`}>
      <ActionMark action={action} />
      <span className="truncate">
        {[action, ...others]
          .map((one) => (others.length === 0 ? actionWord(one) : `${actionWord(one)} ${formatCount(group?.actions[one] ?? 0)}`))
          .join(', ')}
      </span>
      {decidedBy === 'policy' ? null : <span className="text-second">· you</span>}
    </span>
  )
}

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

type Props = Omit<RowGridProps<ListedFinding, Column>, 'label' | 'sort' | 'rowPx' | 'columnsFor' | 'cell' | 'nameOf'>

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
const cellOf = (finding: ListedFinding, column: Column) => column.cell(finding)
const nameOf = ({ type, preview }: ArchiveFinding) => `${piiWord(type)} ${preview}`

export const FindingsSkeleton = () => (
  <GridSkeleton label="Loading findings">
    <Skeleton className="w-32" />
    <Skeleton className="flex-1" />
    <Skeleton className="w-20" />
  </GridSkeleton>
)
