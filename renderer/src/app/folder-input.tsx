import { useId } from 'react'
import { useProjectFolders } from '#renderer/api/traces.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextInput, type TextInputProps } from '#renderer/ui/field.tsx'
import { desktop } from './desktop.ts'

/** The folder of a project: typed, one of those of the sessions, or chosen in the desktop's dialog. */
export function FolderInput({
  chooseTitle = 'Choose a folder',
  ...input
}: Omit<TextInputProps, 'list' | 'className'> & { chooseTitle?: string }) {
  const list = useId()
  const projects = useProjectFolders()
  const choose = async () => {
    const answer = await desktop()?.call('dialog:choose-folder', { title: chooseTitle })
    if (answer?.path) input.onChange(answer.path)
  }
  return (
    <>
      <TextInput {...input} list={list} className="max-w-full min-w-60 flex-1 font-mono" />
      <datalist id={list}>
        {projects.map((folder) => (
          <option key={folder} value={folder}>
            {folder}
          </option>
        ))}
      </datalist>
      {desktop() ? <Button onClick={() => void choose()}>Choose folder …</Button> : null}
    </>
  )
}
