import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Client } from '#contracts/derive/client.ts'
import type { Routes } from '#contracts/routes/index.ts'
import { overHttp } from '#server/cli/connect.ts'

const MAIN = path.join(import.meta.dirname, '..', 'main.ts')

export interface OwnServer {
  pid: number
  url: string
  client: Client<Routes>
  /** Resolves when it has ended. */
  end(signal?: NodeJS.Signals): Promise<void>
}

/**
 * A server in its own process, for tests that kill it or look at it from outside. `root`: its user's home, with the data
 * directory in `home`. `before`: a program that becomes the server.
 */
export async function startOwnServer(root: string, before: readonly string[] = []): Promise<OwnServer> {
  const [command, ...args] = [...before, process.execPath, MAIN, '--home', path.join(root, 'home'), '--port', '0']
  const child = spawn(command, args, { env: { HOME: root, PATH: process.env['PATH'] ?? '' }, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(() => {
      throw new Error('The server ended before it was ready.')
    }),
  ])) as [string]
  const { url, tokenFile, pid } = JSON.parse(line) as { url: string; tokenFile: string; pid: number }
  return {
    pid,
    url,
    client: overHttp(url, fs.readFileSync(tokenFile, 'utf8').trim()).client,
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      await ended
    },
  }
}
