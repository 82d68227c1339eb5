import { type BrowserWindow, dialog } from 'electron'
import { nameHidden } from '#contracts/hidden-signs.ts'
import type { Backend } from './backend.ts'

/** Asks the user in a system dialog, which a page cannot control, and shows the server's text, not the page's. */
export async function askToConfirm(window: BrowserWindow, backend: Backend, id: string): Promise<boolean> {
  const { changes } = await backend.confirmation(id)
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Bash Gym',
    message: 'Allow this?',
    detail: `The app window requests this change. It is made only if you allow it here.\n\n${changes
      .map(({ what, from, to }) =>
        from === null ? `${what}\n${visibleText(to)}` : `${what}\nnow: ${visibleText(from)}\nnew: ${visibleText(to)}`,
      )
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

const visibleText = (text: string) => (text === '' ? '(empty)' : nameHidden(text))
