import { Pencil, X } from 'lucide-react'
import { useState } from 'react'
import type { Exam, ExamTask } from '#contracts/entities/exam.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useEditExamTask, useExamTasks, useRemoveExamTask } from '#renderer/api/exams.ts'
import { traceHref } from '#renderer/app/links.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { TextArea } from '#renderer/ui/field.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Section } from '#renderer/ui/page.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { Visible } from '#renderer/ui/visible.tsx'

/** The tasks of an exam, to be read before its first run. */
export function Tasks({ exam }: { exam: Exam }) {
  const offline = useOfflineReason()
  const list = useExamTasks(exam.id)
  const { rows, more } = useRows(list)
  const remove = useRemoveExamTask(exam.id)
  const [edited, setEdited] = useState<ExamTask | null>(null)
  const reason = offline ?? (exam.runs > 0 ? 'This exam was run.' : null)
  const columns: Column<ExamTask>[] = [
    ...COLUMNS,
    {
      id: 'change',
      label: 'Change',
      cell: (task) => (
        <span className="flex gap-1">
          <IconButton
            size="small"
            icon={Pencil}
            reason={reason}
            label={`Edit the prompt of task ${task.no + 1}`}
            onClick={() => setEdited(task)}
          />
          <IconButton
            size="small"
            icon={X}
            reason={reason}
            busy={remove.isPending && remove.variables === task.id}
            label={`Leave out task ${task.no + 1}`}
            onClick={() => remove.mutate(task.id)}
          />
        </span>
      ),
    },
  ]
  return (
    <Section title="Its tasks" note="What you leave in counts as accepted. After the first run nothing changes any more.">
      <Fetched query={{ ...list, refetch: list.refetch }} what="tasks" bars={['h-16 w-full']}>
        {() =>
          rows.length === 0 ? (
            <p className="text-sm text-second">No task yet.</p>
          ) : (
            <>
              <Table caption="Tasks" columns={columns} rows={rows} keyOf={({ id }) => id} />
              {list.hasNextPage ? <Button onClick={more}>Show more</Button> : null}
            </>
          )
        }
      </Fetched>
      {edited === null ? null : <EditPrompt examId={exam.id} task={edited} reason={reason} onClose={() => setEdited(null)} />}
    </Section>
  )
}

function EditPrompt({ examId, task, reason, onClose }: { examId: string; task: ExamTask; reason: string | null; onClose: () => void }) {
  const [prompt, setPrompt] = useState(task.prompt)
  const save = useEditExamTask(examId, onClose)
  const why = reason ?? (prompt.trim() === '' ? 'The prompt is empty.' : null)
  return (
    <FormDialog
      wide
      title={`Prompt of task ${task.no + 1}`}
      description="What both models are asked. The proofs of the task do not depend on it, and its session keeps the recorded prompt."
      action="Save"
      reason={why}
      busy={save.isPending}
      onSubmit={() => save.mutate({ task: task.id, prompt })}
      onClose={onClose}
    >
      <TextArea value={prompt} onChange={setPrompt} aria-label="Prompt" rows={12} maxLength={100_000} />
    </FormDialog>
  )
}

export const TaskText = ({ task: { prompt, undone, isEdited } }: { task: ExamTask }) => (
  <span className="flex max-h-32 min-w-60 flex-col gap-1 overflow-y-auto text-sm">
    <span className="whitespace-pre-line">
      <Visible text={prompt} />
    </span>
    {isEdited ? <span className="text-xs text-second">edited by you</span> : null}
    {undone === null ? null : (
      <span className="text-xs text-second">
        undone: <Visible text={undone} />
      </span>
    )}
  </span>
)

const PROOFS = [
  { id: 'base', label: 'BASE', title: 'With the hidden tests, the state before fails.' },
  { id: 'red', label: 'RED', title: 'An empty answer fails.' },
  { id: 'gold', label: 'GOLD', title: 'The recorded change passes.' },
] as const

const COLUMNS: Column<ExamTask>[] = [
  { id: 'no', label: 'Task', cell: ({ no, traceId }) => <TextLink href={traceHref(traceId)}>{`No.\u00A0${no + 1}`}</TextLink> },
  { id: 'prompt', label: 'Prompt', cell: (task) => <TaskText task={task} /> },
  {
    id: 'checks',
    label: 'Hidden checks',
    cell: ({ command, mustPass, mustStay, hiddenFiles }) => (
      <span className="flex max-h-32 min-w-40 flex-col overflow-y-auto text-xs break-words">
        <code>{command}</code>
        <span>
          {plural(mustPass.length, 'test')} must pass, {mustStay} must stay: <Visible text={mustPass.join(', ')} />
        </span>
        {hiddenFiles.length === 0 ? null : (
          <span className="text-second">
            <Visible text={hiddenFiles.join(', ')} />
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'proof',
    label: 'Proven',
    cell: ({ proof }) => (
      <span className="flex flex-wrap gap-1">
        {PROOFS.map(({ id, label, title }) => (
          <span key={id} title={title}>
            <Badge tone={proof[id] ? 'ok' : 'bad'}>{label}</Badge>
          </span>
        ))}
        <span className="text-xs text-second">{proof.runs}×</span>
      </span>
    ),
  },
]
