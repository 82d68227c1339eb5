import { X } from 'lucide-react'
import { useId } from 'react'
import { IconButton } from '#renderer/ui/button.tsx'
import { Field, TextInput } from '#renderer/ui/field.tsx'
import { FileButton } from '#renderer/ui/file-button.tsx'
import { formatBytes } from '#renderer/ui/format.ts'
import { toast } from '#renderer/ui/toast.tsx'
import { base64 } from './base64.ts'
import { MAX_FILE_BYTES, type NewFile } from './create-form.ts'

/** Files that are copied in before the set-up runs. */
export function FileFields({
  files,
  folder,
  error,
  onChange,
}: {
  files: readonly NewFile[]
  /** Default folder of a new file. */
  folder: string
  error: string | undefined
  onChange: (files: readonly NewFile[]) => void
}) {
  const id = useId()
  const add = async (chosen: readonly File[]) => {
    const large = chosen.find(({ size }) => size > MAX_FILE_BYTES)
    if (large) {
      toast.error("Couldn't add the files", `${large.name} has more than ${formatBytes(MAX_FILE_BYTES)}.`)
      return
    }
    const added = await Promise.all(
      chosen.map(async (file) => ({ name: file.name, path: `${folder}/${file.name}`, bytes: file.size, content: await base64(file) })),
    )
    onChange([...files, ...added])
  }
  const replace = (at: number, path: string) => onChange(files.map((file, index) => (index === at ? { ...file, path } : file)))
  return (
    <Field id={id} label="Files" hint="Copied in before the set-up commands run." error={error ?? null}>
      <div className="flex w-96 max-w-full flex-col gap-2">
        {files.map((file, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- files may have the same name, and paths are edited
          <div key={index} className="flex items-center gap-2">
            <TextInput
              aria-label={`Path of ${file.name} inside`}
              className="min-w-0 flex-1 font-mono text-xs"
              value={file.path}
              onChange={(path) => replace(index, path)}
            />
            <span className="text-xs whitespace-nowrap text-second">{formatBytes(file.bytes)}</span>
            <IconButton label={`Remove ${file.name}`} icon={X} onClick={() => onChange(files.filter((_, at) => at !== index))} />
          </div>
        ))}
        <FileButton id={id} size="small" inputLabel="Files to copy in" multiple onFiles={(chosen) => void add(chosen)}>
          Add files
        </FileButton>
      </div>
    </Field>
  )
}
