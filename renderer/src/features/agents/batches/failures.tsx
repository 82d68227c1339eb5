import type { BatchReport } from '#contracts/entities/batch.ts'
import { TASK_BOUNDARIES } from '#renderer/app/words/tasks.ts'
import { formatCount } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'

/** Failed attempts by cause. */
export const Failures = ({ byBoundary }: Pick<BatchReport, 'byBoundary'>) => (
  <Section title="Failures by cause">
    {byBoundary.length === 0 ? (
      <p className="text-sm text-second">No attempt has failed.</p>
    ) : (
      <Table caption="Failures by cause" columns={COLUMNS} rows={byBoundary} keyOf={({ boundary }) => boundary} />
    )}
  </Section>
)

const COLUMNS: Column<BatchReport['byBoundary'][number]>[] = [
  { id: 'cause', label: 'Cause', cell: ({ boundary }) => TASK_BOUNDARIES[boundary] },
  {
    id: 'counts',
    label: 'What it counts as',
    className: 'text-second',
    cell: ({ boundary }) => (boundary === 'task' ? 'failed' : 'no result: the attempt can be repeated'),
  },
  { id: 'attempts', label: 'Attempts', numeric: true, cell: ({ attempts }) => formatCount(attempts) },
]
