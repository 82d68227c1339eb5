import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { AppError } from '#contracts/errors.ts'
import { type Stub, startStub } from '#server/adapters/llm/testing-stub.ts'
import { ask } from '#server/cli/ask.ts'
import { overHttp } from '#server/cli/connect.ts'
import { type CliDeps, runCli } from '#server/cli/run.ts'
import type { Config } from '#server/config.ts'
import { newFolder } from '#server/testing/folders.ts'
import { type OwnServer, startOwnServer } from '#server/testing/own-server.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'

/** A server in this process for the tests of a block; its fields are there from the first test on. */
export function useServer(changes: () => Partial<Config> = () => ({})): TestServer {
  const client = {} as TestServer['client']
  const server = { client } as TestServer
  beforeAll(async () => {
    const running = await startTestServer({ config: testConfig(changes()) })
    Object.assign(server, running, { client: Object.assign(client, running.client) })
  })
  afterAll(() => server.close())
  return server
}

/** A model for the tests of a block; its fields are there from the first test on. */
export function useStub(reply: Parameters<typeof startStub>[0]): Stub {
  const stub = {} as Stub
  beforeAll(async () => void Object.assign(stub, await startStub(reply)))
  afterAll(() => stub.close())
  return stub
}

/** A server in its own process for each test, which may kill and restart it. */
export function useOwnServer() {
  const own = {
    root: '',
    server: {} as OwnServer,
    async restart(): Promise<void> {
      own.server = await startOwnServer(own.root)
    },
  }
  beforeEach(async () => {
    own.root = newFolder()
    await own.restart()
  })
  afterEach(() => own.server.end())
  return own
}

/** Functions that call sandboxes; `spec` applies to every new sandbox. */
export function sandboxCalls({ client }: Pick<TestServer, 'client'>, spec: object = {}) {
  const created = async (more: object = {}): Promise<string> => (await client.createSandbox({ body: { ...spec, ...more } })).id
  const started = async (more: object = {}): Promise<string> => {
    const id = await created(more)
    await client.startSandbox({ params: { id } })
    return id
  }
  return {
    created,
    started,
    exec: (id: string, command: string, more: object = {}) => client.execInSandbox({ params: { id }, body: { command, ...more } }),
    remove: (id: string) => client.stopSandbox({ params: { id }, body: { remove: true } }),
  }
}

/** Runs the command line against a server. */
export async function runAgainst(server: TestServer, args: readonly string[], signal = new AbortController().signal) {
  let [out, note] = ['', '']
  const parts = { connect: () => Promise.resolve(overHttp(server.url, server.token)), serve: {}, restore: {}, ask } as unknown as CliDeps
  const streams = { out: (text: string) => void (out += text), note: (text: string) => void (note += text) }
  const code = await runCli([...args], parts, streams, signal)
  return { code, out, note }
}

/** Imports a session of Claude Code and returns the ID of its trace. */
export async function importSession(server: TestServer, folder: string, sessionId: string, text: string): Promise<string> {
  const file = path.join(folder, `${sessionId}.jsonl`)
  fs.writeFileSync(file, text)
  await server.app.core.jobs.wait((await server.client.startImport({ body: { paths: [file] } })).id)
  const { items } = await server.client.listTraces({ query: {} })
  return items.find((trace) => trace.sessionId === sessionId)!.id
}

/** The error of a call. Fails if the call succeeds. */
export const refusalOf = (call: Promise<unknown>): Promise<AppError> =>
  call.then(
    () => {
      throw new Error('It was not refused.')
    },
    (error: AppError) => error,
  )
