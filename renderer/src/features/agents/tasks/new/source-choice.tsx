import { desktop } from '#renderer/app/desktop.ts'
import { useProjectFolders } from '#renderer/api/traces.ts'
import { Button } from '#renderer/ui/button.tsx'
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
  const projects = useProjectFolders()
  const choose = async () => {
    const answer = await desktop()?.call('dialog:choose-folder', { title: 'Choose a folder' })
    if (answer?.path) onChange(answer.path)
  }
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap gap-2">
        <TextInput
          aria-label="Folder"
          className="min-w-60 flex-1 font-mono"
          placeholder="/home/you/project"
          list="project-folders"
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : 'task-folder-error'}
          value={value}
          onChange={onChange}
        />
        <datalist id="project-folders">
          {projects.map((folder) => (
            <option key={folder} value={folder}>
              {folder}
            </option>
          ))}
        </datalist>
        {desktop() ? <Button onClick={() => void choose()}>Choose folder …</Button> : null}
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
