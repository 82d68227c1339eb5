import { type BrowserWindow, dialog } from 'electron'
import { nameHidden } from '#contracts/hidden-signs.ts'
import type { Backend } from './backend.ts'

/** Asks in a system dialog, which a page cannot control, with the server's text and not the page's. */
export async function confirmChange(window: BrowserWindow, backend: Backend, id: string): Promise<boolean> {
  const { changes } = await backend.confirmation(id)
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Bash Gym',
    message: 'Allow this?',
    detail: `The app window asks for it. Bash Gym does this only if you allow it here.\n\n${changes
      .map(({ what, from, to }) => (from === null ? `${what}\n${shown(to)}` : `${what}\nnow: ${shown(from)}\nnew: ${shown(to)}`))
      .join('\n\n')}`,
    buttons: ['Cancel', 'Allow'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  if (response !== 1) return false
  await backend.confirm(id)
  return true
}

const shown = (text: string) => (text === '' ? '(empty)' : nameHidden(text))
