import { type BrowserWindow, dialog } from 'electron'
import { nameHidden } from '#contracts/hidden-signs.ts'
import type { Backend } from './backend.ts'

/** Asks the user in a system dialog, which a page cannot control, and shows the server's text, not the page's. */
export async function askToConfirm(window: BrowserWindow, backend: Backend, id: string): Promise<boolean> {
  const { title, changes, canTrust } = await backend.confirmation(id)
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Bash Gym',
    message: title,
    detail: `The app window asks for this. It happens only if you allow it here.\n\n${changes
      .map(({ what, from, to }) =>
        from === null ? `${what}\n${visibleText(to)}` : `${what}\nnow: ${visibleText(from)}\nnew: ${visibleText(to)}`,
      )
      .join('\n\n')}${canTrust ? '\n\nTo be asked once for all that is in a folder, add it in Settings, Trusted folders.' : ''}`,
    buttons: ['Cancel', 'Allow'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  if (response !== 1) return false
  await backend.confirm(id)
  return true
}

const visibleText = (text: string) => (text === '' ? '(empty)' : nameHidden(text))
