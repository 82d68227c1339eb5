import { contextBridge, ipcRenderer } from 'electron'
import type { DesktopBridge, IpcChannel } from '#contracts/ipc.ts'

/** All channels that a page may call. The list is repeated here so that a page cannot call any other. */
const CHANNELS: ReadonlySet<IpcChannel> = new Set([
  'app:info',
  'dialog:choose-folder',
  'shell:show-in-folder',
  'notify:show',
  'tray:set',
  'session:sign-in',
  'change:confirm',
])

/** Keeps the last value until there is a listener, because the shell may send before the page's scripts run. */
function lastValueChannel<T>(channel: string, isValid: (value: unknown) => value is T): (listener: (value: T) => void) => () => void {
  const listeners = new Set<(value: T) => void>()
  let undelivered: { value: T } | null = null
  ipcRenderer.on(channel, (_event, value: unknown) => {
    if (!isValid(value)) return
    if (listeners.size === 0) undelivered = { value }
    for (const listener of listeners) listener(value)
  })
  return (listener) => {
    listeners.add(listener)
    if (undelivered) listener(undelivered.value)
    undelivered = null
    return () => void listeners.delete(listener)
  }
}

const bridge: DesktopBridge = {
  call: (channel, input) =>
    CHANNELS.has(channel) ? ipcRenderer.invoke(channel, input) : Promise.reject(new Error(`There is no channel ${channel}.`)),
  onNavigate: lastValueChannel('navigate', (path): path is string => typeof path === 'string' && path.startsWith('/')),
  onServer: lastValueChannel('server', (reason): reason is string | null => reason === null || typeof reason === 'string'),
  onNotice: lastValueChannel('notice', (sentence): sentence is string => typeof sentence === 'string'),
}
contextBridge.exposeInMainWorld('bashgymDesktop', bridge)
