import { AppError } from '#contracts/errors.ts'
import { loadConfig } from '#server/config.ts'
import { findServer } from '#server/data-dir/find-server.ts'
import { relaunch } from '#server/launch.ts'
import type { Connection, ConnectOptions } from './command.ts'

/** Connects to the running server of a data directory, or starts the app inside this process without a listening socket. */
export async function connect(
  dataDir: string | undefined,
  options: ConnectOptions & { note: (text: string) => void; signal: AbortSignal },
): Promise<Connection> {
  const config = loadConfig({ dataDir, sandboxes: options.sandboxes })
  const server = findServer(config.dataDir)
  if (server.state === 'running') {
    if (Object.values(options.sandboxes ?? {}).some((limit) => limit !== undefined))
      throw new AppError('invalid_request', {
        message: 'The app is already running, so its own sandbox limits apply.',
        hint: 'Change them in Settings → Arena, or remove the options.',
      })
    const [{ overHttp }, { askForProof }] = await Promise.all([import('./connect.ts'), import('./prove.ts')])
    const { token } = await askForProof(`${server.url}/api/health`, { tokens: [server.token] })
    if (token === null)
      throw new AppError('server_unreachable', {
        message: `The program at ${server.url} is not the server of ${config.dataDir}, so the token was not sent.`,
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
  const { createApp, inProcessClient } = await import('#server/app.ts')
  const app = await createApp(config, {
    onWait: ({ pid }) => options.note(`Waiting for the command with process id ${pid} to end.`),
    signal: options.signal,
  }).catch((error: unknown) => {
    // The app was started in the meantime: use it.
    if (findServer(config.dataDir).state === 'running') return null
    throw error
  })
  if (app === null) return connect(dataDir, options)
  await app.start({ watch: false })
  for (const repair of app.repaired) options.note(`Repaired: ${repair}.`)
  return {
    client: inProcessClient(app),
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
