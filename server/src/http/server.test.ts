import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { implement, routesOf } from '#contracts/derive/route.ts'
import { createExpressApp } from './server.ts'

test('a request that fails after its body was read is logged with the cause', async () => {
  const lines: string[] = []
  const broken = implement(
    routesOf('system').post('broken', '/api/broken', {
      summary: 'Fails.',
      body: z.object({ text: z.string() }),
      response: z.object({}),
    }),
    () => {
      throw new RangeError('out of range')
    },
  )
  const caller = { kind: 'owner' }
  const guard = { checkSource: () => undefined, callerOf: () => caller, callers: { isSignedIn: () => true } }
  const app = createExpressApp(guard as never, {
    implementations: [broken],
    openapi: () => ({}),
    rendererDir: '/nowhere',
    validateResponses: true,
    log: pino({}, { write: (line: string) => lines.push(line) }),
  })
  const server = http.createServer(app).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/api/broken`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'x'.repeat(20_000) }),
  })
  expect(response.status).toBe(500)
  expect(lines.join('')).toContain('RangeError')
})
