import { Download } from 'lucide-react'
import { Button } from './button.tsx'
import { Menu, MenuItem } from './menu.tsx'

/** A button with a menu of formats to download. */
export const DownloadMenu = <Format extends string>({
  label,
  size = 'normal',
  reason = null,
  busy = false,
  formats,
  onSelect,
}: {
  label: string
  size?: 'small' | 'normal'
  reason?: string | null
  busy?: boolean
  formats: readonly { format: Format; label: string }[]
  onSelect: (format: Format) => void
}) => (
  <Menu
    trigger={
      <Button size={size} icon={Download} reason={reason} busy={busy}>
        {label}
      </Button>
    }
    align="end"
  >
    {formats.map((one) => (
      <MenuItem key={one.format} onSelect={() => onSelect(one.format)}>
        {one.label}
      </MenuItem>
    ))}
  </Menu>
)
