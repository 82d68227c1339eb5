import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import type { Model } from '#contracts/entities/model.ts'
import { datasetHref, modelHref } from '#renderer/api/links.ts'
import { useTheme } from '#renderer/stores/theme.ts'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { DASH, formatBytes } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { useWidth } from '#renderer/ui/use-width.ts'
import { VirtualList, type VirtualListHandle } from '#renderer/ui/virtual-list.tsx'
import { formatFigure } from '../figures.ts'
import { StarButton } from '../parts.tsx'
import { artifactWord, baseWord, strategyWord } from '../words.ts'
import type { Marks } from './use-marks.ts'

interface ModelColumn {
  id: string
  label: string
  width: number
  numeric?: boolean
  /** Where there is less room than this the column is left out. */
  from: number
  cell: (model: Model) => ReactNode
}

const figure = (value: number | null, why: string, format: (value: number) => string = formatFigure) =>
  value === null ? (
    <span title={`Not measured: ${why}`} className="text-second">
      {DASH}
    </span>
  ) : (
    format(value)
  )

const COLUMNS: readonly ModelColumn[] = [
  {
    id: 'name',
    label: 'Name',
    width: 160,
    from: 0,
    cell: ({ id, name, tags }) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <TextLink href={modelHref(id)} className="min-w-0 truncate no-underline! hover:underline!">
          {name}
        </TextLink>
        <span className="min-w-0 shrink-[4] truncate text-xs text-second">{tags.map((tag) => `#${tag}`).join(' ')}</span>
      </span>
    ),
  },
  {
    id: 'strategy',
    label: 'Strategy',
    width: 88,
    from: 560,
    cell: ({ lineage }) => <span className="text-xs">{strategyWord(lineage.strategy)}</span>,
  },
  {
    id: 'base',
    label: 'Base model',
    width: 150,
    from: 760,
    cell: ({ lineage }) => <MiddleCut text={baseWord(lineage.baseModel)} end={8} className="text-xs" />,
  },
  {
    id: 'dataset',
    label: 'Data set',
    width: 120,
    from: 900,
    cell: ({ lineage }) =>
      lineage.datasetId === null ? (
        <span className="block truncate text-xs text-second">{lineage.datasetName ?? DASH}</span>
      ) : (
        <TextLink href={datasetHref(lineage.datasetId)} className="block truncate text-xs">
          {lineage.datasetName ?? lineage.datasetId}
        </TextLink>
      ),
  },
  {
    id: 'eval',
    label: 'Held-out loss',
    width: 100,
    numeric: true,
    from: 460,
    cell: ({ training }) => figure(training.evalLoss, 'the run had no held-out rows.'),
  },
  {
    id: 'exports',
    label: 'Had as',
    width: 150,
    from: 1040,
    cell: ({ artifacts }) => {
      const bad = artifacts.filter(({ state }) => state !== 'present')
      const words = artifacts.map(artifactWord).join(', ')
      return (
        <span title={words} className={cn('block truncate text-xs', bad.length > 0 && 'text-bad')}>
          {bad[0] ? `${artifactWord(bad[0])} ${bad[0].state}` : words}
        </span>
      )
    },
  },
  {
    id: 'rate',
    label: 'Tokens/s',
    width: 80,
    numeric: true,
    from: 700,
    cell: ({ operational }) => figure(operational.tokensPerSec, 'it has not been tried out.'),
  },
  { id: 'size', label: 'Size', width: 84, numeric: true, from: 520, cell: ({ operational }) => formatBytes(operational.sizeBytes) },
  {
    id: 'made',
    label: 'Made',
    width: 96,
    numeric: true,
    from: 640,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-second" />,
  },
]
const ROW_PX = { compact: 32, comfortable: 40 } as const

export function ModelTable({ models, total, marks, onEnd }: { models: readonly Model[]; total: number; marks: Marks; onEnd: () => void }) {
  const density = useTheme((state) => state.density)
  const box = useRef<HTMLDivElement>(null)
  const rows = useRef<VirtualListHandle>(null)
  const width = useWidth(box)
  const columns = useMemo(() => COLUMNS.filter(({ from }) => width >= from), [width])
  const current = models.findIndex(({ id }) => id === marks.currentId)
  useEffect(() => {
    if (current >= 0) rows.current?.scrollToIndex(current)
  }, [current])
  return (
    <div ref={box} className="flex min-h-0 flex-1 flex-col">
      <VirtualList
        ref={rows}
        items={models}
        total={total}
        estimate={ROW_PX[density]}
        keyOf={({ id }) => id}
        label="Models"
        role="rowgroup"
        rowRole="none"
        grid
        onEnd={onEnd}
        header={<Header columns={columns} />}
      >
        {(model, index) => <Row model={model} index={index} columns={columns} marks={marks} />}
      </VirtualList>
    </div>
  )
}

const placeOf = ({ id, width }: ModelColumn) => (id === 'name' ? { minWidth: width } : { width })
const classOf = ({ id, numeric }: ModelColumn) => cn('min-w-0 px-2', id === 'name' ? 'flex-1' : 'shrink-0', numeric && 'text-right')

const Header = ({ columns }: { columns: readonly ModelColumn[] }) => (
  <div role="rowgroup" className="sticky top-0 z-10 bg-bg">
    <div role="row" aria-rowindex={1} className="flex h-8 items-center border-b border-line px-4 text-xs text-second">
      <span role="columnheader" aria-label="Marked" className="w-8 shrink-0" />
      <span role="columnheader" aria-label="Star" className="w-8 shrink-0" />
      {columns.map((column) => (
        <span key={column.id} role="columnheader" style={placeOf(column)} className={classOf(column)}>
          {column.label}
        </span>
      ))}
    </div>
  </div>
)

const Row = ({ model, index, columns, marks }: { model: Model; index: number; columns: readonly ModelColumn[]; marks: Marks }) => (
  <div
    role="row"
    aria-rowindex={index + 2}
    aria-selected={marks.has(model.id)}
    className={cn(
      'flex h-full items-center border-b border-line px-4 text-sm',
      marks.has(model.id) ? 'bg-accent/12' : 'hover:bg-raised/60',
      model.id === marks.currentId && 'outline-2 -outline-offset-2 outline-accent',
    )}
  >
    <div role="gridcell" className="flex w-8 shrink-0 justify-center">
      <Checkbox label={`Mark ${model.name}`} checked={marks.has(model.id)} onChange={() => marks.mark(model.id)} />
    </div>
    <div role="gridcell" className="flex w-8 shrink-0 justify-center">
      <StarButton model={model} />
    </div>
    {columns.map((column) => (
      <div
        key={column.id}
        role="gridcell"
        style={placeOf(column)}
        className={cn(classOf(column), column.numeric && 'font-mono text-xs whitespace-nowrap')}
      >
        {column.cell(model)}
      </div>
    ))}
  </div>
)
