import { useMemo } from 'react'
import type { Model } from '#contracts/entities/model.ts'
import { datasetHref, modelHref } from '#renderer/app/links.ts'
import { ModelVerdict } from '#renderer/app/verdict.tsx'
import { useModelWord } from '#renderer/app/words/models.ts'
import type { Marks } from '#renderer/app/use-marks.ts'
import { useRowPx } from '#renderer/stores/theme.ts'
import { cn } from '#renderer/ui/cn.ts'
import { DASH, formatBytes } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import type { CellColumn } from '#renderer/ui/lists/cell-columns.ts'
import { MarkedTable, starColumn } from '#renderer/ui/lists/marked-table.tsx'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Unknown } from '#renderer/ui/unknown.tsx'
import { ELSEWHERE, ELSEWHERE_WHY, figureOf, formatFigure, measuredElsewhere } from '../figures.ts'
import { StarOfModel } from '../parts.tsx'
import { artifactWord, strategyWord } from '../words.ts'

const figure = (value: number | null, why: string, format: (value: number) => string = formatFigure) =>
  value === null ? <Unknown why={`Not measured: ${why}`} /> : format(value)

/** `elsewhere`: models whose held-out loss was measured on other rows than the first one's. */
const columnsOf = (elsewhere: ReadonlySet<Model['id']>): readonly CellColumn<Model>[] => [
  starColumn((model) => <StarOfModel model={model} />),
  {
    id: 'name',
    label: 'Name',
    width: 160,
    grows: true,
    leaves: null,
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
    leaves: 3,
    cell: ({ lineage }) => <span className="text-xs">{strategyWord(lineage.strategy)}</span>,
  },
  {
    id: 'base',
    label: 'Base model',
    width: 150,
    leaves: 6,
    cell: ({ lineage }) => <BaseName model={lineage.baseModel} />,
  },
  {
    id: 'dataset',
    label: 'Data set',
    width: 120,
    leaves: 7,
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
    leaves: 1,
    cell: ({ id, training }) =>
      elsewhere.has(id) ? (
        <span className="text-xs text-second" title={ELSEWHERE_WHY}>
          {ELSEWHERE}
        </span>
      ) : (
        figure(training.evalLoss, 'the run had no held-out rows.')
      ),
  },
  { id: 'verdict', label: 'Verdict', width: 140, leaves: null, cell: (model) => <ModelVerdict model={model} /> },
  {
    id: 'exports',
    label: 'Formats',
    width: 150,
    leaves: 8,
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
    leaves: 5,
    cell: ({ operational }) => figure(operational.tokensPerSec, 'it has not been tried yet.'),
  },
  { id: 'size', label: 'Size', width: 84, numeric: true, leaves: 2, cell: ({ operational }) => formatBytes(operational.sizeBytes) },
  {
    id: 'made',
    label: 'Created',
    width: 96,
    numeric: true,
    leaves: 4,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-second" />,
  },
]

export function ModelTable({ models, total, marks, onEnd }: { models: readonly Model[]; total: number; marks: Marks; onEnd: () => void }) {
  const rowPx = useRowPx()
  const columns = useMemo(() => columnsOf(measuredElsewhere(figureOf('eval_loss'), models, ({ training }) => training.evalLoss)), [models])
  return <MarkedTable label="Models" rows={models} total={total} columns={columns} marks={marks} rowPx={rowPx} onEnd={onEnd} />
}

function BaseName({ model }: { model: string }) {
  return <MiddleCut text={useModelWord()(model)} end={8} className="text-xs" />
}
