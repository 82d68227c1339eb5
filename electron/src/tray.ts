import { Menu, nativeImage, Tray } from 'electron'
import type { IpcInput } from '#contracts/ipc.ts'

type Capture = IpcInput<'tray:set'>['capture']

const LABELS: Record<Capture, string> = {
  on: 'Capture is on',
  paused: 'Capture is paused',
  off: 'Hooks are not installed',
  offline: 'The server is not running',
}

export interface CaptureTray {
  set(capture: Capture, tooltip: string): void
  destroy(): void
}

/** The tray icon with the state of capture; null on a desktop without a tray. */
export function createTray(icon: string, actions: { show: (path: string) => void; quit: () => void }): CaptureTray | null {
  let tray: Tray
  try {
    tray = new Tray(nativeImage.createFromPath(icon).resize({ width: 18, height: 18 }))
  } catch (error) {
    console.error(`No tray on this desktop: ${String(error)}`)
    return null
  }
  const set = (capture: Capture, tooltip: string) => {
    tray.setToolTip(tooltip || `Bash Gym: ${LABELS[capture]}`)
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: LABELS[capture], enabled: false },
        { type: 'separator' },
        { label: 'Open Bash Gym', click: () => actions.show('/') },
        { label: 'Traces', click: () => actions.show('/traces') },
        { label: 'Capture settings', click: () => actions.show('/settings/capture') },
        { type: 'separator' },
        { label: 'Quit', click: actions.quit },
      ]),
    )
  }
  set('offline', '')
  tray.on('click', () => actions.show('/'))
  return { set, destroy: () => tray.destroy() }
}
