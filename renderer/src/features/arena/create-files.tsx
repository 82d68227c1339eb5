import { Upload, X } from 'lucide-react'
import { useId, useRef } from 'react'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Field, TextInput } from '#renderer/ui/field.tsx'
import { formatBytes } from '#renderer/ui/format.ts'
import { toast } from '#renderer/ui/toast.tsx'
import { base64 } from './base64.ts'
import { MOST_FILE_BYTES, type NewFile } from './create-form.ts'

/** Files that are there before the set-up runs. */
export function FileFields({
  files,
  folder,
  error,
  onChange,
}: {
  files: readonly NewFile[]
  /** Where a file goes unless its path is changed. */
  folder: string
  error: string | undefined
  onChange: (files: readonly NewFile[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const add = async (chosen: readonly File[]) => {
    const large = chosen.find(({ size }) => size > MOST_FILE_BYTES)
    if (large) {
      toast.error("Couldn't add the files", `${large.name} has more than ${formatBytes(MOST_FILE_BYTES)}.`)
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
          // paths are typed, and files may have the same name
          // oxlint-disable-next-line react/no-array-index-key
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
        <Button id={id} size="small" icon={Upload} onClick={() => input.current?.click()}>
          Add files
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          className="hidden"
          aria-label="Files to copy in"
          onChange={(event) => {
            void add([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
      </div>
    </Field>
  )
}
