import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { ChatChunk } from '#contracts/entities/model.ts'
import type { Run } from '#contracts/entities/run.ts'
import type { ServerMessage } from '#contracts/messages.ts'
import { overHttp } from '#server/cli/connect.ts'
import { type CliDeps, runCli } from '#server/cli/run.ts'
import { loadConfig } from '#server/config.ts'
import type { TestServer } from '#server/testing/server.ts'
import { PYTHON } from './python.ts'

export const temporaryFolder = (name: string): string => fs.mkdtempSync(path.join(os.tmpdir(), `bashgym-${name}-`))

/** A server config with everything inside `folder`, and the Python of the trainers. */
export const trainingConfig = (folder: string, options: { python?: string; sandboxes?: { running: number } } = {}) =>
  loadConfig(
    { dataDir: path.join(folder, 'home'), port: 0, sandboxes: options.sandboxes },
    { HOME: folder, PATH: process.env['PATH'], BASHGYM_PYTHON: options.python ?? PYTHON, BASHGYM_LOG: 'error' },
  )

export async function closeServer(server: TestServer, folder: string): Promise<void> {
  const { contractViolations } = server
  await server.close()
  fs.rmSync(folder, { recursive: true, force: true })
  expect(contractViolations).toEqual([])
}

/** Writes rows as JSON lines, repeated `times` times, and returns the path of the file. */
export function writeRows(file: string, rows: readonly object[], times = 1): string {
  fs.writeFileSync(
    file,
    rows
      .map((row) => `${JSON.stringify(row)}\n`)
      .join('')
      .repeat(times),
  )
  return file
}

/** Resolves with the first value that `pick` returns for a message from now on. */
export function nextMessage<T>(server: TestServer, pick: (message: ServerMessage) => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const stop = server.app.core.events.subscribe((message) => {
      const found = pick(message)
      if (found === undefined) return
      stop()
      resolve(found)
    })
  })
}

/** Resolves with the run as soon as `holds` is true, checked at each message. Rejects if the run fails before. */
export function runWhen(server: TestServer, id: string, holds: (run: Run) => boolean): Promise<Run> {
  return new Promise((resolve, reject) => {
    const look = async () => {
      const run = await server.client.getRun({ params: { id } })
      const isDone = holds(run)
      if (!isDone && run.state !== 'failed') return
      stop()
      if (isDone) resolve(run)
      else reject(new Error(`${run.error?.message}\n${run.error?.logTail}`))
    }
    const stop = server.app.core.events.subscribe(() => void look().catch(reject))
    look().catch(reject)
  })
}

/** Runs `bashgym …` in this process, connected to this server. */
export async function bashgym(server: TestServer, args: string[]): Promise<{ code: number; lines: string[]; notes: string[] }> {
  const [lines, notes]: [string[], string[]] = [[], []]
  const parts = { connect: () => Promise.resolve(overHttp(server.url, server.token)), serve: {}, restore: {} } as unknown as CliDeps
  const streams = { out: (text: string) => void lines.push(text), note: (text: string) => void notes.push(text) }
  return { code: await runCli(args, parts, streams, new AbortController().signal), lines, notes }
}

/** Arguments that pass the settings to `bashgym train`. */
export const settingArgs = (settings: object): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${JSON.stringify(value)}`])

export async function chatChunks(response: Response): Promise<ChatChunk[]> {
  const lines = (await response.text()).trimEnd().split('\n')
  return lines.map((line) => ChatChunk.parse(JSON.parse(line)))
}
