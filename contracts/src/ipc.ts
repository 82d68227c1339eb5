import { z } from 'zod'

/** Calls that only Electron can answer. The preload script provides exactly these as `window.bashgymDesktop`. */
export const IPC = {
  'app:info': { input: z.object({}), output: z.object({ version: z.string(), electron: z.string(), platform: z.string() }) },
  'dialog:choose-folder': { input: z.object({ title: z.string().max(200) }), output: z.object({ path: z.string().nullable() }) },
  'shell:show-in-folder': { input: z.object({ path: z.string().max(4096) }), output: z.object({ ok: z.boolean() }) },
  'notify:show': {
    input: z.object({
      title: z.string().max(200),
      body: z.string().max(500),
      traceId: z.string().max(40).nullable(),
      path: z
        .string()
        .regex(/^\/(?!\/)[\w/?=&%-]{0,200}$/)
        .optional()
        .meta({ description: 'page of the app that a click opens' }),
    }),
    output: z.object({ shown: z.boolean() }),
  },
  'session:sign-in': { input: z.object({}), output: z.object({ ok: z.boolean() }) },
  'change:confirm': { input: z.object({ id: z.string().max(40) }), output: z.object({ isConfirmed: z.boolean() }) },
  'tray:set': {
    input: z.object({ capture: z.enum(['on', 'paused', 'off', 'offline']), tooltip: z.string().max(200) }),
    output: z.object({ ok: z.boolean() }),
  },
} as const
export type IpcChannel = keyof typeof IPC
export type IpcInput<C extends IpcChannel> = z.infer<(typeof IPC)[C]['input']>
export type IpcOutput<C extends IpcChannel> = z.infer<(typeof IPC)[C]['output']>

/** The functions that the preload script exposes to the page. */
export interface DesktopBridge {
  call<C extends IpcChannel>(channel: C, input: IpcInput<C>): Promise<IpcOutput<C>>
  /** Deep links (`bashgym://trace/<id>`) and tray clicks arrive as paths of the app. */
  onNavigate(listener: (path: string) => void): () => void
  /** Reports why the server is not running; null when it runs again. */
  onServer(listener: (reason: string | null) => void): () => void
  /** Reports something that the user should know but that is no problem. */
  onNotice(listener: (sentence: string) => void): () => void
}
