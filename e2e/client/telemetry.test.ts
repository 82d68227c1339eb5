/** The real Claude Code with its telemetry on, sent to us. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { startTestServer } from '#server/testing/server.ts'
import { startStub } from './driver/index.mjs'
import { aUser, clientOrSkip } from './installed.ts'

const client = await clientOrSkip('2.1.329')

async function freePort(): Promise<number> {
  const server = http.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

it.skipIf(client.skip !== false).each(['http/protobuf', 'http/json'])(
  'telemetry over %s has each request once, and its cost beside ours for the same requests',
  async (protocol) => {
    const user = aUser(client.skip === false ? client.bin : '')
    const stub = await startStub()
    const server = await startTestServer()
    try {
      await server.client.patchSettings({ body: { telemetry: { in: true, inPort: await freePort() } } })
      const status = async () => (await server.client.getTelemetry({})).in
      const variables = (await status()).variables.filter(({ isContent }) => !isContent).map(({ name, value }) => [name, value])
      const env = { ...Object.fromEntries(variables), OTEL_EXPORTER_OTLP_PROTOCOL: protocol } as Record<string, string>
      const result = await user.run({ scenario: 'fix-test', stub, env })
      expect(result.exitCode).toBe(0)
      const asked = stub.requests.filter(({ path, method }) => method === 'POST' && path?.startsWith('/v1/messages?')).length
      await expect.poll(status).toMatchObject({ requests: asked, refused: 0, repeated: 0 })

      const { items } = await server.client.listProfiles({ query: { of: 'recorded' } })
      expect(items).toMatchObject([{ source: 'telemetry', summary: { llmCalls: { count: asked } } }])
      const { spans } = await server.client.getProfile({ params: { id: items[0]!.id } })
      const named = new Map(spans.map((span) => [span.id, span]))
      const tools = spans.filter(({ kind }) => kind === 'tool')
      expect(tools.length).toBeGreaterThan(5)
      expect(tools.every(({ parentId }) => named.get(parentId ?? '')?.kind === 'agent')).toBe(true)
      expect(JSON.stringify(spans)).not.toContain(user.cwd) // no content without its switches

      const job = await server.client.startImport({ body: { paths: [user.claudeDir], agent: 'claude-code' } })
      await server.client.getJob({ params: { id: job.id }, query: { waitMs: 30_000 } })
      const { items: sessions } = await server.client.listProfiles({ query: {} })
      const session = await server.client.getProfile({ params: { id: sessions[0]!.id } })
      expect(session.summary.reported).toMatchObject({ requests: asked, missing: 0 })
      const reported = session.spans.filter(({ reportedUsd }) => reportedUsd !== undefined)
      expect(reported).toHaveLength(asked)
      expect(reported.reduce((sum, { reportedUsd }) => sum + reportedUsd!, 0)).toBeCloseTo(session.summary.reported!.costUsd, 10)
      expect(session.summary.llmCalls.count).toBe(asked) // telemetry adds nothing to the session's own figures
      const recorded = await server.client.getProfile({ params: { id: items[0]!.id } })
      expect(recorded.sessionId).toBe(session.id)
    } finally {
      await server.close()
      await stub.close()
      user.remove()
    }
  },
)
