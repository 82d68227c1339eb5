import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Client } from '#contracts/derive/client.ts'
import type { Routes } from '#contracts/routes/index.ts'
import { overHttp } from '#server/cli/connect.ts'

/** The built one, which starts in a third of the processor time; Vitest has brought it up to date. */
export const MAIN = path.resolve(import.meta.dirname, '../../../dist/server/main.js')

export interface OwnServer {
  pid: number
  url: string
  client: Client<Routes>
  /** Resolves when the process has exited. */
  end(signal?: NodeJS.Signals): Promise<void>
}

/**
 * Starts a server in its own process, for tests that kill it or inspect it from outside. `root` is the user's home; the data
 * directory is `root`/home. `before` is a wrapper command that executes the server in its own place.
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
