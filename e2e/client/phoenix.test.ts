/** What is sent out, in a real Phoenix and by the checks of the GenAI conventions. */
import { execFile, spawn } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

const root = path.resolve(import.meta.dirname, '..', '..')
const venv = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache'), 'bashgym-e2e', 'phoenix')
const isInstalled = fs.existsSync(path.join(venv, 'ready-1'))
if (!isInstalled) {
  const why = 'Phoenix is not installed: .ci/run installs it.'
  if ((process.env['BASHGYM_TEST_REQUIRE'] ?? '').split(',').includes('phoenix')) throw new Error(why)
  console.error(`SKIPPED: ${why}`)
}

let server: TestServer
let sessionId: string
beforeAll(async () => {
  if (!isInstalled) return
  server = await startTestServer()
  const job = await server.client.startImport({ body: { paths: [path.join(root, 'samples')], agent: 'claude-code' } })
  await server.client.getJob({ params: { id: job.id }, query: { waitMs: 30_000 } })
  const { items } = await server.client.listProfiles({ query: {} })
  sessionId = items.find(({ summary }) => summary.failedToolCalls > 0)!.id
})
afterAll(() => server?.close())

async function freePort(): Promise<number> {
  const one = http.createServer().listen(0, '127.0.0.1')
  await once(one, 'listening')
  const { port } = one.address() as AddressInfo
  one.close()
  return port
}

it.skipIf(!isInstalled)('spans of each kind are those of the GenAI conventions', async () => {
  const response = await server.client.exportProfile({ params: { id: sessionId }, query: { format: 'otlp' } })
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'spans-')), 'spans.json')
  fs.writeFileSync(file, Buffer.from(await response.arrayBuffer()))
  const { stdout } = await promisify(execFile)(path.join(venv, 'bin', 'python'), [path.join(import.meta.dirname, 'genai_spans.py'), file])
  const checked = JSON.parse(stdout) as Record<string, number>
  expect(Object.keys(checked).toSorted()).toEqual(['chat', 'execute_tool', 'invoke_agent'])
})

it.skipIf(!isInstalled)('Phoenix shows a session as a tree with kinds, tokens and the failed call', { timeout: 300_000 }, async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'phoenix-'))
  const url = `http://127.0.0.1:${await freePort()}`
  const phoenix = spawn(path.join(venv, 'bin', 'phoenix'), ['serve'], {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      PHOENIX_TELEMETRY_ENABLED: 'false',
      PHOENIX_WORKING_DIR: folder,
      PHOENIX_HOST: '127.0.0.1',
      PHOENIX_PORT: new URL(url).port,
      PHOENIX_GRPC_PORT: String(await freePort()),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(phoenix, 'exit')
  try {
    let log = ''
    const started = Promise.withResolvers<void>()
    for (const stream of [phoenix.stdout, phoenix.stderr])
      stream.on('data', (chunk: Buffer) => {
        log += String(chunk)
        if (log.includes('Application startup complete')) started.resolve()
      })
    void ended.then(() => started.reject(new Error(`Phoenix ended: ${log.slice(-2000)}`)))
    await started.promise

    await server.client.patchSettings({ body: { telemetry: { out: [{ kind: 'phoenix', url }] } } })
    await server.client.sendTrace({ params: { id: sessionId } })
    await expect.poll(async () => (await server.client.getTelemetry({})).out).toMatchObject([{ sent: 1, dropped: 0, problem: null }])

    const query =
      '{ projects { edges { node { name spans(first: 1000) { edges { node { name spanKind statusCode parentId tokenCountTotal } } } } } } }'
    const shown = async () => {
      const answer = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      const { data } = (await answer.json()) as {
        data: { projects: { edges: { node: { name: string; spans: { edges: { node: Shown }[] } } }[] } }
      }
      return data.projects.edges.find(({ node }) => node.name === 'bashgym')?.node.spans.edges.map(({ node }) => node) ?? []
    }
    const { spans, summary } = await server.client.getProfile({ params: { id: sessionId } })
    const timed = spans.filter(({ startedAt }) => startedAt !== null)
    await expect.poll(async () => (await shown()).length).toBe(timed.length)
    const all = await shown()
    const kinds = (kind: string) => all.filter(({ spanKind }) => spanKind === kind).length
    expect([kinds('agent'), kinds('llm'), kinds('tool')]).toEqual(
      (['agent', 'llm', 'tool'] as const).map((kind) => timed.filter((span) => span.kind === kind).length),
    )
    expect(all.filter(({ parentId }) => parentId === null)).toHaveLength(1)
    expect(all.filter(({ spanKind, statusCode }) => spanKind === 'tool' && statusCode === 'ERROR').length).toBeGreaterThanOrEqual(
      summary.failedToolCalls,
    )
    const tokens = all.filter(({ spanKind }) => spanKind === 'llm').reduce((sum, { tokenCountTotal }) => sum + (tokenCountTotal ?? 0), 0)
    expect(tokens).toBe(summary.llmCalls.totalTokens)

    phoenix.kill()
    await ended
    await server.client.sendTrace({ params: { id: sessionId } })
    await expect
      .poll(async () => (await server.client.getTelemetry({})).out)
      .toMatchObject([{ sent: 1, queued: 1, problem: expect.stringContaining("Couldn't reach") as string }])
  } finally {
    phoenix.kill('SIGKILL')
    fs.rmSync(folder, { recursive: true, force: true })
  }
})

interface Shown {
  name: string
  spanKind: string
  statusCode: string
  parentId: string | null
  tokenCountTotal: number | null
}
