import { app, dialog, ipcMain, Notification, shell } from 'electron'
import { IPC, type IpcChannel, type IpcInput, type IpcOutput } from '#contracts/ipc.ts'
import { pathOfTrace } from '../deep-link.ts'
import type { CaptureTray } from '../tray.ts'
import { placeInside } from './inside.ts'
import { requireTrusted } from './trusted.ts'

type Handlers = { [C in IpcChannel]: (input: IpcInput<C>) => IpcOutput<C> | Promise<IpcOutput<C>> }

/** Answers exactly the channels of contracts/ipc.ts; input and output are parsed with the same schemas. */
export function registerIpc(options: {
  origin: () => string | null
  dataDir: string
  tray: () => CaptureTray | null
  show: (path: string) => void
  /** Reloads the page, signed in. */
  signIn: () => void
  /** False if the user did not agree. */
  confirm: (id: string) => Promise<boolean>
}): void {
  const shown = new Set<Notification>() // one that nothing refers to may be collected, and its click is lost
  const handlers: Handlers = {
    'app:info': () => ({ version: app.getVersion(), electron: process.versions.electron ?? '', platform: process.platform }),
    'dialog:choose-folder': async ({ title }) => {
      const { filePaths } = await dialog.showOpenDialog({ title, properties: ['openDirectory'] })
      return { path: filePaths[0] ?? null }
    },
    'shell:show-in-folder': ({ path: wanted }) => {
      const place = placeInside(options.dataDir, wanted)
      if (place !== null) shell.showItemInFolder(place)
      return { ok: place !== null }
    },
    'notify:show': ({ title, body, traceId }) => {
      if (!Notification.isSupported()) return { shown: false }
      const notification = new Notification({ title, body })
      shown.add(notification)
      notification.once('click', () => options.show(traceId ? pathOfTrace(traceId) : '/'))
      notification.once('close', () => shown.delete(notification))
      notification.show()
      return { shown: true }
    },
    'session:sign-in': () => {
      options.signIn()
      return { ok: true }
    },
    'change:confirm': async ({ id }) => ({ isConfirmed: await options.confirm(id) }),
    'tray:set': ({ capture, tooltip }) => {
      options.tray()?.set(capture, tooltip)
      return { ok: options.tray() !== null }
    },
  }
  for (const channel of Object.keys(IPC) as IpcChannel[]) {
    ipcMain.handle(channel, async (event, payload: unknown) => {
      requireTrusted(event, options.origin())
      const input = IPC[channel].input.safeParse(payload)
      if (!input.success) {
        const issue = input.error.issues[0]
        throw new Error(`${channel} was called with a payload that it does not take: ${issue?.path.join('.')}: ${issue?.message}`)
      }
      const handle = handlers[channel] as (input: unknown) => unknown // the pair of schema and handler is by channel
      return IPC[channel].output.parse(await handle(input.data))
    })
  }
}
