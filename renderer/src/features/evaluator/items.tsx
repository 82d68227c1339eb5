import type { ExamAnswer, ExamCall, ExamItem, ExamRun } from '#contracts/entities/exam.ts'
import { signed } from '#contracts/exam-words.ts'
import { useExamItems } from '#renderer/api/exams.ts'
import { stepHref, taskHref, traceHref } from '#renderer/app/links.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { DASH } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Section } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { TaskText } from './tasks.tsx'

const KINDS = [
  { value: 'all', label: 'All items' },
  { value: 'losses', label: 'Only losses' },
  { value: 'wins', label: 'Only wins' },
  { value: 'ties', label: 'Only ties' },
  { value: 'owed', label: 'Only owed' },
] as const

/** Both answers to each item side by side, the largest losses first. */
export function Items({ run }: { run: ExamRun }) {
  const [search, change] = useSearchState()
  const only = KINDS.find(({ value }) => value === search.get('only'))?.value ?? 'all'
  const list = useExamItems(run.examId, run.id, only)
  const { rows, more } = useRows(list)
  return (
    <Section
      title="Item by item"
      note="The largest losses first."
      actions={
        <Select
          label="Which items"
          value={only}
          options={KINDS}
          onChange={(value) => change({ only: value === 'all' ? null : value }, { replace: true })}
        />
      }
    >
      <Fetched query={{ ...list, refetch: list.refetch }} what="items" bars={['h-16 w-full', 'h-16 w-full']}>
        {() =>
          rows.length === 0 ? (
            <p className="text-sm text-second">No such item.</p>
          ) : (
            <>
              <Table caption="Items" columns={columnsOf(run)} rows={rows} keyOf={({ id }) => id} />
              {list.hasNextPage ? <Button onClick={more}>Show more</Button> : null}
            </>
          )
        }
      </Fetched>
    </Section>
  )
}

const Call = ({ call }: { call: ExamCall }) => (
  <span className="flex max-h-32 min-w-40 flex-col overflow-y-auto font-mono text-xs break-all">
    <b>
      <Visible text={call.name} />
    </b>
    {Object.entries(call.arguments).map(([name, value]) => (
      <span key={name}>
        <Visible text={`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`} />
      </span>
    ))}
  </span>
)

const STATES: Readonly<Record<ExamAnswer['state'], string>> = {
  pass: 'equal',
  fail: 'differs',
  truncated: 'cut off at its length',
  timeout_with_verdict: 'stopped at a limit',
  error: 'no answer',
  not_run: 'not asked yet',
}

const TASK_STATES: typeof STATES = {
  ...STATES,
  pass: 'all attempts pass',
  fail: 'not all attempts pass',
  error: 'owed',
  not_run: 'not done yet',
}
const RUN_STATES: typeof STATES = { ...STATES, pass: 'passed', fail: 'failed', error: 'no verdict' }

const Runs = ({ runs }: { runs: ExamAnswer['runs'] }) => (
  <ul className="flex max-h-32 flex-col gap-1 overflow-y-auto text-xs break-words">
    {runs.map(({ sample, state, passed, taskId, detail }) => (
      <li key={sample}>
        {taskId === null ? `Run ${sample}` : <TextLink href={taskHref(taskId)}>{`Run ${sample}`}</TextLink>}: {RUN_STATES[state]}
        {state === 'timeout_with_verdict' ? `, ${passed ? 'passed' : 'failed'}` : ''}
        {detail === null ? null : (
          <span className="text-second">
            {' '}
            <Visible text={detail} />
          </span>
        )}
      </li>
    ))}
  </ul>
)

const Answer = ({ answer }: { answer: ExamAnswer }) => (
  <span className="flex min-w-40 flex-col gap-1">
    <span className="text-xs text-second">
      {(answer.runs.length > 0 ? TASK_STATES : STATES)[answer.state]}
      {answer.score === null ? '' : `, ${answer.score.toFixed(2)}`}
    </span>
    {answer.runs.length > 0 ? (
      <Runs runs={answer.runs} />
    ) : answer.call ? (
      <Call call={answer.call} />
    ) : (
      <span className="max-h-32 overflow-y-auto text-xs break-words">
        <Visible text={answer.error ?? answer.text ?? DASH} />
      </span>
    )}
  </span>
)

const COLUMNS: Column<ExamItem>[] = [
  {
    id: 'item',
    label: 'Item',
    cell: ({ no, traceId, stepId }) => (
      <TextLink href={stepId === null ? traceHref(traceId) : stepHref(traceId, stepId)}>{`No. ${no + 1}`}</TextLink>
    ),
  },
  { id: 'difference', label: 'Difference', numeric: true, cell: ({ difference }) => (difference === null ? DASH : signed(difference)) },
  { id: 'recorded', label: 'Recorded', cell: ({ recorded }) => (recorded ? <Call call={recorded} /> : DASH) },
  { id: 'base', label: 'Base', cell: ({ base }) => <Answer answer={base} /> },
  { id: 'model', label: 'Candidate', cell: ({ model }) => <Answer answer={model} /> },
]

const TASK_COLUMNS = COLUMNS.map((column): Column<ExamItem> =>
  column.id === 'recorded' ? { id: 'task', label: 'Task', cell: ({ task }) => (task ? <TaskText task={task} /> : DASH) } : column,
)

const columnsOf = ({ kind, isReading }: ExamRun): Column<ExamItem>[] => {
  const columns = kind === 'solved_tasks' ? TASK_COLUMNS : COLUMNS
  return isReading ? columns.map((column) => ({ ...column, label: READING_LABELS.get(column.id) ?? column.label })) : columns
}
const READING_LABELS = new Map([
  ['base', 'Before'],
  ['model', 'Now'],
])
