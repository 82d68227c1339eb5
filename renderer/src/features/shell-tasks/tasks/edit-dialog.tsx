import { useState } from 'react'
import type { ShellTask } from '#contracts/entities/shell-task.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useShellTaskActions } from '#renderer/api/shell-tasks.ts'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { SelectRow } from '#renderer/ui/form-rows.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { useTextFields } from './text-fields.tsx'
import { DIFFICULTY_WORDS } from './words.ts'

export function EditDialog({ task, onClose }: { task: ShellTask; onClose: () => void }) {
  const offline = useOfflineReason()
  const { change } = useShellTaskActions(task.id, { saved: onClose })
  const { rows, texts, missing } = useTextFields(task, 'Optional. Commands that solve it; validation runs them.')
  const [difficulty, setDifficulty] = useState(task.difficulty === null ? 'none' : String(task.difficulty))
  return (
    <FormDialog
      wide
      title="Edit shell task"
      description="Saving clears its validation."
      action="Save task"
      reason={offline ?? missing}
      busy={change.isPending}
      onSubmit={() => change.mutate({ ...texts, difficulty: difficulty === 'none' ? null : Number(difficulty) })}
      onClose={onClose}
    >
      {rows}
      <SelectRow
        label="Difficulty"
        className="w-64"
        value={difficulty}
        options={['1', '2', '3', '4', 'none'].map((value) => ({ value, label: DIFFICULTY_WORDS[value] ?? value }))}
        onChange={setDifficulty}
      />
      {change.error ? <ErrorState title="Couldn't save the task" error={change.error} /> : null}
    </FormDialog>
  )
}
