import { Download } from 'lucide-react'
import { api } from '#renderer/api/client.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { saveFile } from '#renderer/ui/save-file.ts'
import { toast } from '#renderer/ui/toast.tsx'

/** The commands and their output as a file, or what a session showed as a recording. */
export function DownloadTrajectory({ id, sessions }: { id: string; sessions: readonly string[] }) {
  const name = `sandbox-${id.slice(0, 8)}`
  const save = async (file: string, content: () => Promise<Blob>) => {
    try {
      saveFile(file, await content())
    } catch (error) {
      toast.error(`Couldn't download ${file}`, (error as Error).message)
    }
  }
  const text = async () => (await api.getSandboxTrajectoryText({ params: { id } })).blob()
  const json = async () =>
    new Blob([JSON.stringify(await api.getSandboxTrajectory({ params: { id } }), null, 2)], { type: 'application/json' })
  const recording = (session: string) => async () => (await api.getSandboxRecording({ params: { id }, query: { session } })).blob()
  return (
    <Menu
      trigger={
        <Button size="small" icon={Download}>
          Download
        </Button>
      }
      align="end"
    >
      <MenuItem onSelect={() => void save(`${name}.txt`, text)}>As text</MenuItem>
      <MenuItem onSelect={() => void save(`${name}.json`, json)}>As JSON</MenuItem>
      {sessions.map((session) => (
        <MenuItem key={session} onSelect={() => void save(`${name}-${session}.cast`, recording(session))}>
          {sessions.length === 1 ? 'As recording (asciinema)' : `Recording of ${session} (asciinema)`}
        </MenuItem>
      ))}
    </Menu>
  )
}
