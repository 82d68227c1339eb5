import { FolderInput } from '#renderer/app/folder-input.tsx'
import { Choices } from '#renderer/ui/choices.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import type { TaskFormProps } from './form.ts'

/** `isPlainFolder`: the chosen folder is not in a Git repository. */
export function SourceChoice({ form, problems, set, isPlainFolder }: TaskFormProps & { isPlainFolder: boolean }) {
  return (
    <div className="flex flex-col gap-2">
      <Choices
        label="Works on"
        value={form.source}
        options={[
          { value: 'folder', label: 'Local folder', meaning: 'A copy of its newest commit and of its uncommitted changes.' },
          { value: 'url', label: 'Git URL', meaning: 'Cloned for this run.' },
          { value: 'empty', label: 'Empty folder', meaning: 'The agent starts without files.' },
        ]}
        onChange={(source) => set({ source })}
      />
      {form.source === 'folder' ? (
        <Folder value={form.directory} error={problems.directory} isPlain={isPlainFolder} onChange={(directory) => set({ directory })} />
      ) : null}
      {form.source === 'url' ? (
        <TextInput
          aria-label="Address of the repository"
          className="w-full font-mono"
          placeholder="https://example.com/you/project.git"
          value={form.repositoryUrl}
          onChange={(repositoryUrl) => set({ repositoryUrl })}
        />
      ) : null}
    </div>
  )
}

function Folder({
  value,
  error,
  isPlain,
  onChange,
}: {
  value: string
  error: string | undefined
  isPlain: boolean
  onChange: (value: string) => void
}) {
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap gap-2">
        <FolderInput
          aria-label="Folder"
          placeholder="/home/you/project"
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : 'task-folder-error'}
          value={value}
          onChange={onChange}
        />
      </div>
      {isPlain ? (
        <p className="text-xs text-warn">
          Not a Git repository: its files are copied without history, and the result can't become a commit or a branch.
        </p>
      ) : null}
      {error === undefined ? null : (
        <p id="task-folder-error" className="text-xs text-bad">
          {error}
        </p>
      )}
    </div>
  )
}
