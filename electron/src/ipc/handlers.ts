import { app, dialog, ipcMain, Notification, shell } from 'electron'
import { IPC, type IpcChannel, type IpcInput, type IpcOutput } from '#contracts/ipc.ts'
import { pathOfTrace } from '../deep-link.ts'
import type { CaptureTray } from '../tray.ts'
import { realPathInside } from './inside.ts'
import { requireTrusted } from './trusted.ts'

type Handlers = { [C in IpcChannel]: (input: IpcInput<C>) => IpcOutput<C> | Promise<IpcOutput<C>> }

/** Handles the channels of contracts/ipc.ts; input and output are parsed with the schemas of that file. */
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
  const openNotifications = new Set<Notification>() // without a reference a notification can be garbage-collected, and its click is lost
  const handlers: Handlers = {
    'app:info': () => ({ version: app.getVersion(), electron: process.versions.electron ?? '', platform: process.platform }),
    'dialog:choose-folder': async ({ title }) => {
      const { filePaths } = await dialog.showOpenDialog({ title, properties: ['openDirectory'] })
      return { path: filePaths[0] ?? null }
    },
    'shell:show-in-folder': ({ path: requestedPath }) => {
      const file = realPathInside(options.dataDir, requestedPath)
      if (file !== null) shell.showItemInFolder(file)
      return { ok: file !== null }
    },
    'notify:show': ({ title, body, traceId, path }) => {
      if (!Notification.isSupported()) return { shown: false }
      const notification = new Notification({ title, body })
      openNotifications.add(notification)
      notification.once('click', () => options.show(path ?? (traceId ? pathOfTrace(traceId) : '/')))
      notification.once('close', () => openNotifications.delete(notification))
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
        throw new Error(`Invalid payload for ${channel}: ${issue?.path.join('.')}: ${issue?.message}`)
      }
      const handle = handlers[channel] as (input: unknown) => unknown // its input was parsed with the schema of the same channel
      return IPC[channel].output.parse(await handle(input.data))
    })
  }
}
