import { Download, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { formatBytes } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { saveFile } from '#renderer/ui/save-file.ts'
import { toast } from '#renderer/ui/toast.tsx'
import { base64 } from './base64.ts'

/** A request holds 10 MB, and base64 takes a third more. */
const MOST_BYTES = 6 * 1024 * 1024

/** Files into a running sandbox, and out of it, by their path inside. */
export function Files({ id }: { id: string }) {
  const [path, setPath] = useState('/tmp/')
  const offline = useOfflineReason()
  const input = useRef<HTMLInputElement>(null)
  const isFolder = path.endsWith('/')
  const wrong = path.startsWith('/') ? null : 'The path must begin with /.'

  const upload = async (file: File) => {
    if (file.size > MOST_BYTES) {
      toast.error("Couldn't copy the file", `${file.name} has more than ${formatBytes(MOST_BYTES)}.`)
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
  const download = async () => {
    try {
      const response = await api.getSandboxFile({ params: { id }, query: { path } })
      saveFile(path.split('/').at(-1) ?? 'file', await response.blob())
    } catch (error) {
      toast.error("Couldn't read the file", (error as Error).message)
    }
  }
  return (
    <Section title="Files">
      <div className="flex flex-col gap-2">
        <TextInput aria-label="Path inside the sandbox" className="font-mono text-xs" value={path} onChange={setPath} />
        <div className="flex flex-wrap gap-2">
          <Button size="small" icon={Upload} reason={offline ?? wrong} onClick={() => input.current?.click()}>
            Copy a file in
          </Button>
          <Button
            size="small"
            icon={Download}
            reason={offline ?? wrong ?? (isFolder ? 'Enter the path of a file.' : null)}
            onClick={() => void download()}
          >
            Download
          </Button>
        </div>
        <input
          ref={input}
          type="file"
          className="hidden"
          aria-label="File to copy in"
          onChange={(event) => {
            const [file] = event.target.files ?? []
            if (file) void upload(file)
            event.target.value = ''
          }}
        />
      </div>
    </Section>
  )
}
