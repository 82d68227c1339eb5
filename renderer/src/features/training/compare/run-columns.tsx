import type { ReactNode } from 'react'
import type { Run } from '#contracts/entities/run.ts'
import { runHref } from '#renderer/app/links.ts'
import { lookOf } from '#renderer/ui/curves/ink.ts'
import { Swatch } from '#renderer/ui/curves/swatch.tsx'
import { formatCount, formatValue } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import type { Column } from '#renderer/ui/table.tsx'
import { measuresEvalLoss } from '../measured.ts'
import { STATE_WORDS } from '../words.ts'

/** The name of a run with the colour of its curve. */
export const nameColumn = (isHidden: (run: Run) => boolean = () => false): Column<Run> => ({
  id: 'run',
  label: 'Run',
  className: 'max-w-80',
  cell: (run) => (
    <span className="flex min-w-0 items-center gap-2">
      {isHidden(run) ? <span className="w-5 shrink-0" /> : <Swatch {...lookOf(run)} />}
      <TextLink href={runHref(run.id)} className="truncate">
        {run.name}
      </TextLink>
    </span>
  ),
})

export const STATE_COLUMN: Column<Run> = {
  id: 'state',
  label: 'State',
  cell: ({ state, error }) => (
    <span className={STATE_WORDS[state].ink} title={error?.message}>
      {STATE_WORDS[state].label}
    </span>
  ),
}

export const figureColumn = (label: string, cell: (run: Run) => ReactNode): Column<Run> => ({
  id: label,
  label,
  numeric: true,
  className: 'font-mono text-xs',
  cell,
})

export const lossColumns = (runs: readonly Run[]): Column<Run>[] => [
  figureColumn('Steps', ({ step }) => formatCount(step)),
  figureColumn('Loss', ({ loss }) => formatValue(loss)),
  ...(runs.some(measuresEvalLoss) ? [figureColumn('Eval loss', ({ evalLoss }) => formatValue(evalLoss))] : []),
]
