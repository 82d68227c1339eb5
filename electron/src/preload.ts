import { contextBridge, ipcRenderer } from 'electron'
import type { DesktopBridge, IpcChannel } from '#contracts/ipc.ts'

/** The whole surface that a page gets; the channels are named here again so that no other can be called through it. */
const CHANNELS: ReadonlySet<IpcChannel> = new Set([
  'app:info',
  'dialog:choose-folder',
  'shell:show-in-folder',
  'notify:show',
  'tray:set',
  'session:sign-in',
  'change:confirm',
])

/** Keeps what came last until somebody listens: the shell may speak before the page's own scripts have run. */
function inbox<T>(channel: string, isFit: (value: unknown) => value is T): (listener: (value: T) => void) => () => void {
  const listeners = new Set<(value: T) => void>()
  let waiting: { value: T } | null = null
  ipcRenderer.on(channel, (_event, value: unknown) => {
    if (!isFit(value)) return
    if (listeners.size === 0) waiting = { value }
    for (const listener of listeners) listener(value)
  })
  return (listener) => {
    listeners.add(listener)
    if (waiting) listener(waiting.value)
    waiting = null
    return () => void listeners.delete(listener)
  }
}

const bridge: DesktopBridge = {
  call: (channel, input) =>
    CHANNELS.has(channel) ? ipcRenderer.invoke(channel, input) : Promise.reject(new Error(`There is no channel ${channel}.`)),
  onNavigate: inbox('navigate', (path): path is string => typeof path === 'string' && path.startsWith('/')),
  onServer: inbox('server', (reason): reason is string | null => reason === null || typeof reason === 'string'),
  onNotice: inbox('notice', (sentence): sentence is string => typeof sentence === 'string'),
}
contextBridge.exposeInMainWorld('bashgymDesktop', bridge)
