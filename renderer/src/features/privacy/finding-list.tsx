import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useImperativeHandle, useRef, type MouseEvent, type ReactNode, type Ref } from 'react'
import type { ArchiveFinding } from '#contracts/entities/privacy.ts'
import { actionWord, deciderWord, piiWord } from '#renderer/api/privacy-words.ts'
import { useTheme } from '#renderer/stores/theme.ts'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { formatScore } from '#renderer/ui/format.ts'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { isSelected, type Selection } from '#renderer/ui/selection.ts'
import { Loading, Skeleton } from '#renderer/ui/states.tsx'
import { useWidth } from '#renderer/ui/use-width.ts'

export interface FindingListHandle {
  show: (index: number) => void
  focus: () => void
}

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
  ref: Ref<FindingListHandle>
}

interface Column {
  id: string
  label: string
  /** Width in px; null takes what is left. */
  width: number | null
  /** Shown from this width of the list on. */
  from: number
  numeric?: boolean
  cell: (finding: ArchiveFinding) => ReactNode
}

const COLUMNS: readonly Column[] = [
  { id: 'type', label: 'Type', width: 148, from: 0, cell: ({ type }) => <span className="truncate">{piiWord(type)}</span> },
  {
    id: 'preview',
    label: 'Masked',
    width: null,
    from: 0,
    cell: ({ preview }) => <span className="truncate font-mono text-xs">{preview}</span>,
  },
  {
    id: 'where',
    label: 'Where',
    width: 220,
    from: 620,
    cell: (finding) => <MiddleCut text={placeOf(finding)} end={18} className="text-xs" />,
  },
  {
    id: 'detector',
    label: 'Detector',
    width: 112,
    from: 860,
    cell: ({ detector }) => <span className="truncate text-xs">{detector}</span>,
  },
  {
    id: 'confidence',
    label: 'Confidence',
    width: 84,
    from: 480,
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
    width: 112,
    from: 380,
    cell: ({ action, decidedBy }) => (
      <span className="flex min-w-0 items-center gap-1.5 text-xs" title={`decided by ${deciderWord(decidedBy)}`}>
        <ActionMark action={action} />
        <span className="truncate">{actionWord(action)}</span>
        {decidedBy === 'policy' ? null : <span className="text-second">· you</span>}
      </span>
    ),
  },
]

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

const ROW_PX = { compact: 32, comfortable: 40 } as const
const HEADER_PX = 32
const rowDomId = (id: string) => `finding-${id}`

/** The rows, of which only those in view exist. Focus stays on the grid; the current row is its active descendant. */
export function FindingList(props: Props) {
  const { rows, total, currentId, openId, selection, stale, onEnd, onPress, onToggle, ref } = props
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const rowPx = ROW_PX[useTheme((state) => state.density)]
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
    initialRect: { width: 800, height: 640 },
    scrollPaddingStart: HEADER_PX,
  })
  useEffect(() => virtualizer.measure(), [rowPx, virtualizer])
  useImperativeHandle(
    ref,
    () => ({
      show: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
      focus: () => scroller.current?.focus({ preventScroll: true }),
    }),
    [virtualizer],
  )
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 20) onEnd()
  }, [last, rows.length, onEnd])
  const columns = COLUMNS.filter(({ from }) => width >= from)
  const isShown = items.some(({ index }) => rows[index]?.id === currentId)
  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label="Findings"
      aria-rowcount={total + 1}
      aria-multiselectable
      aria-busy={stale || undefined}
      aria-activedescendant={isShown && currentId !== null ? rowDomId(currentId) : undefined}
      className={cn('focus-inset relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto', stale && 'opacity-60')}
    >
      <Header {...props} columns={columns} />
      <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const finding = rows[item.index]
          if (!finding) return null
          const isCurrent = finding.id === currentId
          return (
            <div
              key={item.key}
              role="presentation"
              className="absolute top-0 left-0 w-full"
              style={{ height: item.size, transform: `translateY(${item.start}px)` }}
            >
              {/* the keys of the list are the grid's */}
              {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */}
              <div
                id={rowDomId(finding.id)}
                role="row"
                aria-rowindex={item.index + 2}
                aria-selected={isSelected(selection, finding.id)}
                aria-current={finding.id === openId || undefined}
                onClick={(event) => onPress(finding, event)}
                className={cn(
                  'flex h-full cursor-default items-center border-b border-line pl-1 text-sm',
                  finding.id === openId ? 'bg-raised' : isSelected(selection, finding.id) ? 'bg-accent/12' : 'hover:bg-raised/60',
                  isCurrent && 'outline-2 -outline-offset-2 outline-accent',
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
            </div>
          )
        })}
      </div>
    </div>
  )
}

const styleOf = ({ width }: Column) => (width === null ? { flex: 1, minWidth: 0 } : { width })
const cellClass = ({ numeric, width }: Column) =>
  cn('flex h-full min-w-0 items-center px-2', width !== null && 'shrink-0', numeric === true && 'justify-end')

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
