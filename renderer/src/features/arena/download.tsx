import { Download } from 'lucide-react'
import { api } from '#renderer/api/client.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { saveFile } from '#renderer/ui/save-file.ts'
import { toast } from '#renderer/ui/toast.tsx'

/** The commands and their output as a file. */
export function DownloadTrajectory({ id }: { id: string }) {
  const save = async (kind: 'text' | 'json') => {
    const name = `sandbox-${id.slice(0, 8)}`
    try {
      if (kind === 'text') saveFile(`${name}.txt`, await (await api.getSandboxTrajectoryText({ params: { id } })).blob())
      else
        saveFile(
          `${name}.json`,
          new Blob([JSON.stringify(await api.getSandboxTrajectory({ params: { id } }), null, 2)], { type: 'application/json' }),
        )
    } catch (error) {
      toast.error("Couldn't download the commands", (error as Error).message)
    }
  }
  return (
    <Menu
      trigger={
        <Button size="small" icon={Download}>
          Download
        </Button>
      }
      align="end"
    >
      <MenuItem onSelect={() => void save('text')}>As text</MenuItem>
      <MenuItem onSelect={() => void save('json')}>As JSON</MenuItem>
    </Menu>
  )
}
