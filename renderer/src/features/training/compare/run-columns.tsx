import type { ReactNode } from 'react'
import type { Run } from '#contracts/entities/run.ts'
import { OTHER_ANSWERS, otherAnswers } from '#contracts/heldout.ts'
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

/** A figure of held-out answers: shown only for runs that were measured on the answers of the first that has it. */
export function heldOutColumn(label: string, metric: string, runs: readonly Run[], cell: (run: Run) => ReactNode): Column<Run> {
  const others = otherAnswers(metric, runs)
  return figureColumn(label, (run) =>
    others.has(run.id) ? (
      <span className="font-sans text-second" title="It is not comparable here. It is on the run's own page.">
        {OTHER_ANSWERS}
      </span>
    ) : (
      cell(run)
    ),
  )
}

export const lossColumns = (runs: readonly Run[]): Column<Run>[] => [
  figureColumn('Steps', ({ step }) => formatCount(step)),
  figureColumn('Loss', ({ loss }) => formatValue(loss)),
  ...(runs.some(measuresEvalLoss) ? [heldOutColumn('Eval loss', 'eval_loss', runs, ({ evalLoss }) => formatValue(evalLoss))] : []),
]
