import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Client } from '#contracts/derive/client.ts'
import { serverMessages, type ServerMessage } from '#contracts/messages.ts'
import type { Routes } from '#contracts/routes/index.ts'
import { type RunningServer, type ServerOptions, startServer } from '#server/app.ts'
import { type Config, loadConfig } from '#server/config.ts'
import { overHttp } from '#server/cli/connect.ts'

export interface TestServer extends RunningServer {
  config: Config
  client: Client<Routes>
  port: number
  authorization: string
  /** Messages that violated their contract; must stay empty. */
  contractViolations: string[]
}

/** A config with an empty home and a free port; everything it uses is inside a temporary folder. */
export function testConfig(overrides: Partial<Config> = {}): Config & { remove: () => void } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-'))
  const config = loadConfig(
    { dataDir: path.join(folder, 'home'), port: 0 },
    { HOME: folder, CLAUDE_CONFIG_DIR: path.join(folder, 'claude'), BASHGYM_LOG: 'info', PATH: process.env['PATH'] },
  )
  return {
    ...config,
    rendererDir: path.join(folder, 'renderer'),
    ...overrides,
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  }
}

/** One thread per lane: each thread loads all jobs again, and test files already run in parallel. */
const LANES = { bulk: 1, live: 1, query: 1 }

/** Starts a server on a free port that checks every response and every message against its contract. */
export async function startTestServer(options: ServerOptions & { config?: Config } = {}): Promise<TestServer> {
  const config = options.config ?? testConfig()
  const server = await startServer(config, { validateResponses: true, lanes: LANES, ...options })
  const contractViolations: string[] = []
  server.app.core.events.subscribe((message) => contractViolations.push(...contractViolationsOf(message)))
  return {
    ...server,
    config,
    client: overHttp(server.url, server.token).client,
    port: Number(new URL(server.url).port),
    authorization: `Bearer ${server.token}`,
    contractViolations,
    async close() {
      await server.close()
      ;(config as { remove?: () => void }).remove?.()
    },
  }
}

export function contractViolationsOf(message: ServerMessage): string[] {
  const result = serverMessages[message.type].safeParse(JSON.parse(JSON.stringify(message.payload)))
  return result.success ? [] : [`${message.type}: ${result.error.message}`]
}
