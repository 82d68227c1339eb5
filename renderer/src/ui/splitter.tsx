import { Group, Panel, Separator, useDefaultLayout, type GroupProps, type PanelProps } from 'react-resizable-panels'
import { cn } from './cn.ts'

/**
 * Panels side by side whose widths are stored under `id`. The separator can be moved by arrow keys. `panelIds` are the
 * ids of the panels shown now.
 */
export function Split({ id, panelIds, className, children, ...rest }: GroupProps & { id: string; panelIds: string[] }) {
  const kept = useDefaultLayout({ id: `bashgym.${id}`, panelIds, storage: localStorage })
  return (
    <Group
      id={id}
      className={cn('min-h-0 min-w-0 flex-1', className)}
      defaultLayout={kept.defaultLayout}
      onLayoutChanged={kept.onLayoutChanged}
      {...rest}
    >
      {children}
    </Group>
  )
}

export const Pane = ({ className, ...rest }: PanelProps) => <Panel className={cn('flex min-h-0 min-w-0 flex-col', className)} {...rest} />

export const Handle = ({ label = 'Resize' }: { label?: string }) => (
  <Separator
    aria-label={label}
    className="focus-inset relative w-px bg-line transition-colors duration-100 after:absolute after:inset-y-0 after:-left-1 after:w-2 hover:bg-accent data-[separator=active]:bg-accent"
  />
)
