import { AppError } from '#contracts/errors.ts'
import path from 'node:path'
import { loadConfig, pathsOf } from '#server/config.ts'
import { prepareDataDir } from '#server/data-dir/folder.ts'
import { findServer } from '#server/data-dir/find-server.ts'
import { relaunch } from '#server/launch.ts'
import type { Connection, ConnectOptions } from './command.ts'

/** Connects to the running server of a data directory, or starts the app inside this process without a listening socket. */
export async function connect(
  dataDir: string | undefined,
  options: ConnectOptions & { note: (text: string) => void; signal: AbortSignal },
): Promise<Connection> {
  const main = loadConfig({ dataDir, sandboxes: options.sandboxes })
  const server = findServer(main.dataDir)
  const config =
    options.aside === undefined ? main : loadConfig({ dataDir: path.join(main.dataDir, options.aside), sandboxes: options.sandboxes })
  if (server.state === 'running') {
    if (Object.values(options.sandboxes ?? {}).some((limit) => limit !== undefined))
      throw new AppError('invalid_request', {
        message: 'The app is already running, so its own sandbox limits apply.',
        hint: 'Change them in Settings → Sandboxes, or remove the options.',
      })
    const [{ overHttp }, { askForProof }] = await Promise.all([import('./connect.ts'), import('./prove.ts')])
    const { token } = await askForProof(`${server.url}/api/health`, { tokens: [server.token] })
    if (token === null)
      throw new AppError('server_unreachable', {
        message: `The program at ${server.url} is not the server of ${main.dataDir}, so the token was not sent.`,
        hint: 'Another program has taken its port. Stop the server and start it again.',
      })
    return overHttp(server.url, token)
  }
  if (options.needsServer)
    throw new AppError('data_dir_locked', {
      message: `No server is running on ${config.dataDir}.`,
      hint: 'Start one with `npm start` or `bashgym serve`.',
    })
  relaunch()
  if (options.aside !== undefined) prepareDataDir(main, pathsOf(main.dataDir))
  const { createApp, inProcessClient } = await import('#server/app.ts')
  const app = await createApp(config, {
    onWait: ({ pid }) => options.note(`Waiting for the command with process id ${pid} to end.`),
    signal: options.signal,
    reads: options.reads === true,
  }).catch((error: unknown) => {
    // The app was started in the meantime: use it.
    if (findServer(main.dataDir).state === 'running') return null
    throw error
  })
  if (app === null) return connect(dataDir, options)
  await app.start({ watch: false })
  if (options.reads) app.share()
  const client = inProcessClient(app)
  if (options.aside !== undefined) {
    const { arenaSettings } = await import('#server/system/settings.ts')
    await client.patchSettings({ body: arenaSettings(main.dataDir) })
  }
  for (const repair of app.repaired) options.note(`Repaired: ${repair}.`)
  return {
    client,
    async follow(listener, signal) {
      await app.start({ watch: true })
      const stop = app.core.events.subscribe(listener)
      await new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })))
      stop()
    },
    close: async () => {
      const { disk } = app.core
      const isFull = disk.isFull()
      await app.close()
      if (isFull) options.note('The disk is full, so nothing new was saved. Free some space, then run the command again.')
    },
  }
}
