import { useMemo, useState } from 'react'
import type { Batch, BatchReport } from '#contracts/entities/batch.ts'
import type { Task } from '#contracts/entities/task.ts'
import { useBatchActions } from '#renderer/api/batches.ts'
import { hasEnded } from '#renderer/app/words/tasks.ts'
import { Button } from '#renderer/ui/button.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { Attempt } from './attempt.tsx'
import { rowsOf, type TaskRow } from './task-rows.ts'

const PAGE_ROWS = 100

/** The tasks of a batch, each with its attempts side by side. */
export function ByTask({ batch, report, unfinishedTasks }: { batch: Batch; report: BatchReport; unfinishedTasks: readonly Task[] }) {
  const [visibleCount, setVisibleCount] = useState(PAGE_ROWS)
  const rows = useMemo(
    () =>
      rowsOf(
        report,
        unfinishedTasks.filter((task) => !hasEnded(task) || task.state === 'paused'),
      ),
    [report, unfinishedTasks],
  )
  const { choose } = useBatchActions(batch.id)
  const pick = choose.mutate
  const columns = useMemo(() => columnsOf(batch, report.winners, pick), [batch, report.winners, pick])
  const notStartedCount = batch.tasks - rows.length
  return (
    <Section title="Tasks" note={notStartedCount > 0 ? `${plural(notStartedCount, 'task')} not started yet.` : null}>
      {rows.length === 0 ? null : (
        <Table caption="Attempts by task" columns={columns} rows={rows.slice(0, visibleCount)} keyOf={({ key }) => key} />
      )}
      {rows.length > visibleCount ? (
        <div>
          <Button onClick={() => setVisibleCount(visibleCount + PAGE_ROWS)}>
            Show more ({formatCount(visibleCount)} of {formatCount(rows.length)} shown)
          </Button>
        </div>
      ) : null}
    </Section>
  )
}

const columnsOf = (
  { attempts, state }: Batch,
  winners: BatchReport['winners'],
  choose: (choice: { key: string; taskId: string | null }) => void,
): Column<TaskRow>[] => [
  {
    id: 'task',
    label: 'Task',
    className: 'min-w-40 max-w-72',
    cell: ({ key, title }) => (
      <span className="flex flex-col" title={title}>
        <span className="truncate">
          <Visible text={title} />
        </span>
        <span className="truncate font-mono text-xs text-second">
          <Visible text={key} />
        </span>
      </span>
    ),
  },
  {
    id: 'passed',
    label: 'Passed',
    numeric: true,
    cell: ({ passed, verdicts }) => (verdicts === 0 ? <span className="text-second">–</span> : `${passed} of ${verdicts}`),
  },
  ...Array.from({ length: attempts }, (_, index): Column<TaskRow> => {
    const attempt = index + 1
    return {
      id: `attempt-${attempt}`,
      label: `Attempt ${attempt}`,
      className: 'align-top',
      cell: (row) => (
        <Attempt
          taskKey={row.key}
          attempt={attempt}
          of={row.attempts.get(attempt) ?? null}
          isBatchRunning={state === 'running'}
          best={
            attempts === 1
              ? null
              : {
                  taskId: winners.find(({ key }) => key === row.key)?.taskId ?? null,
                  choose: (taskId) => choose({ key: row.key, taskId }),
                }
          }
        />
      ),
    }
  }),
]
