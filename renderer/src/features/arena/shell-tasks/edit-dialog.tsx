import { useState } from 'react'
import type { ShellTask } from '#contracts/entities/shell-task.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useShellTaskActs } from '#renderer/api/shell-tasks.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { ChoiceRow, LinesRow } from '#renderer/ui/form-rows.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { DIFFICULTY_WORDS } from './words.ts'

const SET_UP_BREAK = '\n\n'

/** Changes a task; what was found of it before is void then. */
export function EditDialog({ task, onClose }: { task: ShellTask; onClose: () => void }) {
  const offline = useOfflineReason()
  const { change } = useShellTaskActs(task.id, { saved: onClose })
  const [text, setText] = useState(task.task)
  const [setup, setSetup] = useState(task.setup.join(SET_UP_BREAK))
  const [check, setCheck] = useState(task.check)
  const [solution, setSolution] = useState(task.referenceSolution ?? '')
  const [difficulty, setDifficulty] = useState(task.difficulty === null ? 'none' : String(task.difficulty))
  const reason = offline ?? (text.trim() === '' ? 'The task is empty.' : check.trim() === '' ? 'The check is empty.' : null)
  const save = () =>
    change.mutate({
      task: text,
      setup: setup
        .split(/\n\s*\n/)
        .map((command) => command.trim())
        .filter(Boolean),
      check,
      referenceSolution: solution.trim() === '' ? null : solution,
      difficulty: difficulty === 'none' ? null : Number(difficulty),
    })
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      wide
      title="Edit shell task"
      description="Saving clears its validation."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" reason={reason} busy={change.isPending} onClick={save}>
            Save task
          </Button>
        </>
      }
    >
      <LinesRow label="Task" hint="What to achieve. Do not name the command." value={text} onChange={setText} />
      <LinesRow
        label="Set-up commands"
        hint="Run in this order, in one shell. An empty line separates them."
        value={setup}
        onChange={setSetup}
      />
      <LinesRow label="Check" hint="One command; exit code 0 means solved." value={check} onChange={setCheck} />
      <LinesRow
        label="Reference solution"
        hint="Optional. Commands that solve it; validation runs them."
        value={solution}
        onChange={setSolution}
      />
      <ChoiceRow label="Difficulty">
        {(id) => (
          <Select
            id={id}
            className="w-64"
            value={difficulty}
            options={['1', '2', '3', '4', 'none'].map((value) => ({ value, label: DIFFICULTY_WORDS[value] ?? value }))}
            onChange={setDifficulty}
          />
        )}
      </ChoiceRow>
      {change.error ? <ErrorState title="Couldn't save the task" error={change.error} /> : null}
    </Dialog>
  )
}
