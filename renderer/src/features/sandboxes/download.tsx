import { Download } from 'lucide-react'
import { api } from '#renderer/api/client.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { saveFrom } from '#renderer/ui/save-file.ts'

/** Downloads the commands and their output, or the recording of a session. */
export function DownloadTrajectory({ id, sessions }: { id: string; sessions: readonly string[] }) {
  const name = `sandbox-${id.slice(0, 8)}`
  const save = (file: string, load: Parameters<typeof saveFrom>[2]) => void saveFrom(file, `Couldn't download ${file}`, load)
  const params = { id }
  const json = async () => new Blob([JSON.stringify(await api.getSandboxTrajectory({ params }), null, 2)], { type: 'application/json' })
  return (
    <Menu
      trigger={
        <Button size="small" icon={Download}>
          Download
        </Button>
      }
      align="end"
    >
      <MenuItem onSelect={() => save(`${name}.txt`, () => api.getSandboxTrajectoryText({ params }))}>As text</MenuItem>
      <MenuItem onSelect={() => save(`${name}.json`, json)}>As JSON</MenuItem>
      {sessions.map((session) => (
        <MenuItem
          key={session}
          onSelect={() => save(`${name}-${session}.cast`, () => api.getSandboxRecording({ params, query: { session } }))}
        >
          {sessions.length === 1 ? 'As recording (asciinema)' : `Recording of ${session} (asciinema)`}
        </MenuItem>
      ))}
    </Menu>
  )
}
