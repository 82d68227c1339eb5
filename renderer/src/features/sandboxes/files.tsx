import { Download } from 'lucide-react'
import { useState } from 'react'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { FileButton } from '#renderer/ui/file-button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { formatBytes } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { saveFrom } from '#renderer/ui/save-file.ts'
import { toast } from '#renderer/ui/toast.tsx'
import { base64 } from './base64.ts'
import { MAX_FILE_BYTES } from './create-form.ts'

export function Files({ id }: { id: string }) {
  const [path, setPath] = useState('/tmp/')
  const offline = useOfflineReason()
  const isFolder = path.endsWith('/')
  const wrong = path.startsWith('/') ? null : 'The path must begin with /.'

  const upload = async (file: File) => {
    if (file.size > MAX_FILE_BYTES) {
      toast.error("Couldn't copy the file", `${file.name} has more than ${formatBytes(MAX_FILE_BYTES)}.`)
      return
    }
    const target = isFolder ? `${path}${file.name}` : path
    try {
      await api.putSandboxFile({ params: { id }, body: { path: target, content: await base64(file), encoding: 'base64' } })
      toast.info(`Copied to ${target}`)
    } catch (error) {
      toast.error("Couldn't copy the file", (error as Error).message)
    }
  }
  const download = () =>
    saveFrom(path.split('/').at(-1) ?? 'file', "Couldn't read the file", () => api.getSandboxFile({ params: { id }, query: { path } }))
  return (
    <Section title="Files">
      <div className="flex flex-col gap-2">
        <TextInput aria-label="Path inside the sandbox" className="font-mono text-xs" value={path} onChange={setPath} />
        <div className="flex flex-wrap gap-2">
          <FileButton size="small" inputLabel="File to copy in" reason={offline ?? wrong} onFiles={([file]) => file && void upload(file)}>
            Copy a file in
          </FileButton>
          <Button
            size="small"
            icon={Download}
            reason={offline ?? wrong ?? (isFolder ? 'Enter the path of a file.' : null)}
            onClick={() => void download()}
          >
            Download
          </Button>
        </div>
      </div>
    </Section>
  )
}
