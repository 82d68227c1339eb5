import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import WebSocket from 'ws'
import { rawConversation, rawRequest } from '#server/testing/raw.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'

let server: TestServer
const config = testConfig()
beforeAll(async () => {
  fs.mkdirSync(path.join(config.rendererDir, 'assets'), { recursive: true })
  fs.writeFileSync(path.join(config.rendererDir, 'index.html'), '<!doctype html><title>shell</title>')
  fs.writeFileSync(path.join(config.rendererDir, 'assets', 'app-abc123.js'), 'export {}')
  server = await startTestServer({ config, limits: { headersTimeoutMs: 300, requestTimeoutMs: 600 } })
})
afterAll(() => server.close())

const get = (url: string, headers: Record<string, string> = {}) => rawRequest(server.port, url, { headers })
const post = (url: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  rawRequest(server.port, url, {
    method: 'POST',
    body,
    headers: {
      authorization: server.authorization,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      ...headers,
    },
  })

describe('token', () => {
  test('is required on every route that is not public', async () => {
    const open: string[] = []
    for (const { route } of server.app.implementations) {
      const method = route.method.toUpperCase()
      const { text } = await rawRequest(server.port, route.path.replaceAll(/\{\w+\}/g, 'x'), { method })
      if (!text.includes('"unauthorized"')) open.push(route.name)
    }
    expect(open.toSorted()).toEqual(['getHealth', 'openSession'])
  })
  test.each<[string, Record<string, string>]>([
    ['wrong', { authorization: `Bearer ${'A'.repeat(43)}` }],
    ['shorter', { authorization: 'Bearer x' }],
    ['under another scheme', { authorization: 'Basic abc' }],
    ['that reads like a session key', { authorization: `Bearer bgk_${'A'.repeat(43)}` }],
  ])('%s is refused with 401', async (_, headers) => {
    const { status, json } = await get('/api/system/info', headers)
    expect([status, json().error.code]).toEqual([401, 'unauthorized'])
  })
  test('is not accepted in a query string', async () => {
    expect((await get(`/api/system/info?token=${server.token}&access_token=${server.token}`)).status).toBe(401)
  })
  test('is accepted as Bearer and never as a cookie, which every server on this machine could read', async () => {
    expect((await get('/api/system/info', { authorization: server.authorization })).status).toBe(200)
    expect((await get('/api/system/info', { cookie: `bashgym-${server.port}=${server.token}` })).status).toBe(401)
  })
  test('is required even for an unknown address under /api', async () => {
    expect((await get('/api/nothing')).status).toBe(401)
  })
  test('never appears in a log', async () => {
    server.app.core.log.warn(
      { token: server.token, headers: { authorization: server.authorization } },
      `said ${server.token} bgk_${'B'.repeat(43)}`,
    )
    const logs = fs.readdirSync(server.app.core.paths.logs).map((name) => path.join(server.app.core.paths.logs, name))
    expect(logs.length).toBeGreaterThan(0)
    for (const file of logs) {
      expect(fs.readFileSync(file, 'utf8')).not.toContain(server.token)
      expect(fs.readFileSync(file, 'utf8')).not.toContain('BBBB')
      expect(fs.statSync(file).mode & 0o777).toBe(0o600)
      for (const line of fs.readFileSync(file, 'utf8').trim().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow()
    }
  })
})

describe('Host', () => {
  test.each(['evil.example', 'evil.example:PORT', '127.0.0.1.evil.example:PORT', '127.0.0.1', 'localhost:1'])(
    '%j is refused with 403, on pages and public routes too',
    async (host) => {
      for (const url of ['/', '/api/health', '/docs', '/api/system/info', '/assets/app-abc123.js']) {
        const answer = await get(url, { host: host.replace('PORT', String(server.port)), authorization: server.authorization })
        expect([url, answer.status, answer.json().error.code]).toEqual([url, 403, 'foreign_host'])
        expect(answer.headers['x-content-type-options']).toBe('nosniff')
      }
    },
  )
  test('of the other loopback address, where another program may listen, is refused', async () => {
    expect((await get('/api/health', { host: `[::1]:${server.port}` })).status).toBe(403)
  })
  test.each(['127.0.0.1', 'localhost', 'LOCALHOST'])('%s with our port is ours', async (name) => {
    expect((await get('/api/health', { host: `${name}:${server.port}` })).status).toBe(200)
  })
})

test('links to a server that was started with a host name use the address it listens on', async () => {
  const named = await startTestServer({ config: testConfig({ host: 'localhost' }) })
  onTestFinished(() => named.close())
  const bound = new RegExp(`^http://(127\\.0\\.0\\.1|\\[::1\\]):${named.port}/`)
  expect((await named.client.createSignInLink()).url).toMatch(bound)
  expect(`${named.url}/`).toMatch(bound)
})

describe('Origin', () => {
  test.each(['http://evil.example', 'null', 'http://127.0.0.1:1', 'https://127.0.0.1:PORT', 'http://localhost'])(
    '%s is refused with 403, even with a valid token',
    async (template) => {
      const origin = template.replace('PORT', String(server.port))
      for (const url of ['/api/health', '/api/system/info', '/'])
        expect((await get(url, { origin, authorization: server.authorization })).status).toBe(403)
      expect((await post('/api/session/link', '{}', { origin })).status).toBe(403)
    },
  )
  test('of this server is accepted', async () => {
    expect((await get('/api/system/info', { origin: server.url, authorization: server.authorization })).status).toBe(200)
  })
  test('a request without Origin that a browser marks as from another site is refused', async () => {
    const headers = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', authorization: server.authorization }
    expect((await get('/api/system/info', headers)).status).toBe(403)
  })
  test('no response allows other origins', async () => {
    const answer = await rawRequest(server.port, '/api/health', { method: 'OPTIONS', headers: { origin: server.url } })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect(answer.status).toBe(405)
  })
})

describe('paths', () => {
  test.each([
    '/../../../etc/passwd',
    '/..%2f..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%5c..%5cetc',
    '/assets/%00.js',
    '/docs/..%2f..%2fpackage.json',
    '/docs/../package.json',
  ])('%s returns no file', async (url) => {
    const { status, text } = await get(url)
    expect(text).not.toContain('root:')
    expect(text).not.toContain('"bashgym"')
    expect(status).toBe(404)
  })
  test('an invalid percent escape gets a message without a stack trace', async () => {
    const { status, text } = await get('/%E0%A4%A')
    expect(status).toBe(400)
    expect(text).not.toContain('at ')
  })
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'sec-fetch-mode': 'navigate' }
  test.each([
    ['/traces/%00', 404, 'There is nothing at this address.'],
    ['/traces/%ff', 400, 'The address contains an invalid percent escape.'],
    ['/traces/%E0%A4%A', 400, 'The address contains an invalid percent escape.'],
    ['/traces/..%2f..%2fetc', 404, 'There is nothing at this address.'],
    ['/assets/<b>"&', 404, 'There is nothing at this address.'],
  ])('a browser that opens %s gets a page with a link to the app', async (url, status, sentence) => {
    const page = await get(url, browser)
    expect([page.status, page.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
    expect(page.text).toContain(`<p>${sentence}</p>`)
    expect(page.text).toContain('<a href="/">Open Bash Gym</a>')
    expect(page.text).not.toMatch(/<script|<b>/)
    expect((await get(url)).json().error.message).toBe(sentence)
  })
  test('a browser gets a page for a foreign host, and JSON for an address under /api', async () => {
    const page = await get('/', { ...browser, host: 'evil.example' })
    expect([page.status, page.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
    const answer = await get('/api/traces/%00', browser)
    expect([answer.status, answer.json().error.code]).toEqual([404, 'not_found'])
  })
})

describe('bodies', () => {
  test('over 10 MB: 413', async () => {
    const answer = await post('/api/session/link', Buffer.alloc(11 * 1024 * 1024, 0x20))
    expect([answer.status, answer.json().error.code]).toEqual([413, 'payload_too_large'])
  })
  test('over 10 MB without a length: 413', async () => {
    const answer = await rawRequest(server.port, '/api/session/link', {
      method: 'POST',
      body: Buffer.alloc(11 * 1024 * 1024, 0x20),
      headers: { authorization: server.authorization, 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
    })
    expect(answer.status).toBe(413)
  })
  test.each([
    ['torn', '{"secret":', /not (a )?JSON/],
    ['no object', '"text"', /not (a )?JSON/],
    ['of the wrong shape', '{"secret":7}', /"secret" in the body/],
  ])('%s: 400 with a message', async (_, body, sentence) => {
    const answer = await post('/api/session', body)
    expect([answer.status, answer.json().error.code]).toEqual([400, 'invalid_request'])
    expect(answer.json().error.message).toMatch(sentence)
  })
  test('of an unknown caller, over 8 KB: 413', async () => {
    expect((await post('/api/session', JSON.stringify({ secret: 'x'.repeat(9000) }), { authorization: '' })).status).toBe(413)
  })
  test('of another content type: 400', async () => {
    expect((await post('/api/session', '{"secret":"x"}', { 'content-type': 'text/plain' })).status).toBe(400)
  })
  test('a missing body is read as an empty object', async () => {
    const answer = await rawRequest(server.port, '/api/session/link', { method: 'POST', headers: { authorization: server.authorization } })
    expect(answer.status).toBe(200)
  })
})

describe('responses', () => {
  test('all have nosniff and a policy without inline script', async () => {
    for (const url of ['/', '/assets/app-abc123.js', '/api/health', '/api/nothing', '/docs', '/api/openapi.json']) {
      const { headers } = await get(url)
      expect([url, headers['x-content-type-options']]).toEqual([url, 'nosniff'])
      expect(String(headers['content-security-policy']).split(';')).toEqual(
        expect.arrayContaining([
          "script-src 'self'",
          "style-src 'self' 'unsafe-inline'",
          `connect-src 'self' ws://127.0.0.1:${server.port}`,
          "img-src 'self' data:",
          "frame-ancestors 'none'",
          "object-src 'none'",
          "base-uri 'none'",
        ]),
      )
    }
  })
  test('a client route gets index.html, a hashed file is cached permanently, a missing file is 404', async () => {
    const page = await get('/traces/abc')
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-cache'])
    expect(page.text).toContain('shell')
    expect((await get('/assets/app-abc123.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await get('/assets/gone.js')).status).toBe(404)
  })
  test('the docs page uses only our files and no inline script', async () => {
    const { status, text } = await get('/docs')
    expect(status).toBe(200)
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/)
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '')
    expect(files.length).toBeGreaterThan(3)
    for (const file of files) {
      expect(file).toMatch(/^\/docs\//)
      expect([file, (await get(file)).status]).toEqual([file, 200])
    }
  })
  test('an unsupported method is 405 and lists the supported ones', async () => {
    for (const [url, allowed] of [
      ['/api/settings', 'GET, HEAD, PATCH'],
      ['/api/openapi.json', 'GET, HEAD'],
      ['/docs', 'GET, HEAD'],
    ] as const) {
      const answer = await rawRequest(server.port, url, { method: 'DELETE', headers: { authorization: server.authorization } })
      expect([answer.status, answer.headers.allow, answer.json().error.code]).toEqual([405, allowed, 'method_not_allowed'])
    }
    const head = await rawRequest(server.port, '/api/settings', { method: 'HEAD', headers: { authorization: server.authorization } })
    expect(head.status).toBe(200)
  })
  test('an unknown address under /api is 404 in JSON', async () => {
    const answer = await get('/api/nothing', { authorization: server.authorization })
    expect([answer.status, answer.json().error.code]).toEqual([404, 'not_found'])
  })
})

describe('slow senders', () => {
  test('ends a connection whose headers never end', async () => {
    const text = await rawConversation(server.port, `GET /api/health HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nx-slow: `)
    expect(text).toMatch(/^(HTTP\/1\.1 408|$)/)
  })
  test('ends a connection whose body never ends', async () => {
    const head = `POST /api/session HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`
    expect(await rawConversation(server.port, head)).toMatch(/^(HTTP\/1\.1 40[08]|$)/)
  })
})

describe('socket before the upgrade', () => {
  const statusOf = (headers: Record<string, string>, path = '/ws') =>
    new Promise<number>((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers })
      socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
      socket.once('open', () => {
        socket.terminate()
        resolve(101)
      })
      socket.once('error', reject)
    })
  test('a wrong token: 401', async () => {
    expect(await statusOf({ authorization: 'Bearer x' })).toBe(401)
  })
  test('foreign and null Origin: 403, even with a valid token', async () => {
    for (const origin of ['http://evil.example', 'null']) expect(await statusOf({ origin, authorization: server.authorization })).toBe(403)
  })
  test('foreign Host: 403', async () => {
    expect(await statusOf({ host: 'evil.example', authorization: server.authorization })).toBe(403)
  })
  test('another path: 404', async () => {
    expect(await statusOf({ authorization: server.authorization }, '/other')).toBe(404)
  })
  test('a valid token and our origin: open', async () => {
    expect(await statusOf({ authorization: server.authorization, origin: server.url })).toBe(101)
  })
})

test('accepts a query of 2,000 characters in any script', async () => {
  const { status } = await get(`/api/traces?q=${encodeURIComponent('漢'.repeat(2000))}`, { authorization: server.authorization })
  expect(status).toBe(200)
})

test.each([
  ['send nothing', ''],
  ['send their body slowly', 'POST /api/session HTTP/1.1\r\nhost: HOST\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{'],
])('300 connections that %s do not block other callers', async (_, bytes) => {
  const patient = await startTestServer()
  onTestFinished(() => patient.close())
  const ask = (url: string, headers: Record<string, string> = {}) => rawRequest(patient.port, url, { headers })
  const idle = Array.from({ length: 300 }, () => net.connect(patient.port, '127.0.0.1').on('error', () => undefined))
  try {
    for (const socket of idle) socket.write(bytes.replace('HOST', `127.0.0.1:${patient.port}`))
    await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))))
    expect((await ask('/api/health')).status).toBe(200)
    expect((await ask('/api/settings', { authorization: patient.authorization })).status).toBe(200)
  } finally {
    for (const socket of idle) socket.destroy()
  }
})

test.each(['/api/traces?query=tag:private', '/api/settings?x=1', '/api/health?__proto__=1', '/api/traces?q=a&Limit=1'])(
  '%s is refused because of its unknown parameter',
  async (url) => {
    const { status, json } = await get(url, { authorization: server.authorization })
    expect([status, json().error.code]).toEqual([400, 'invalid_request'])
    expect(json().error.message).toMatch(/^Unknown query parameter "(query|x|__proto__|Limit)"\.$/)
  },
)
