import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import { createClient } from '#contracts/derive/client.ts'
import { routes } from '#contracts/routes/index.ts'
import { createApp, inProcessClient } from '#server/app.ts'
import { overHttp } from '#server/cli/connect.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'
import { createSignInLinks } from './links.ts'
import { createSignIns, MAX_AGE_MS, UNUSED_MS } from './sign-ins.ts'
import { createTickets } from './tickets.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer({ socketLimits: { authenticateWithinMs: 100, maxUnauthenticated: 3, heartbeatMs: 100 } })
})
afterEach(() => server.close())

const secretOf = async () => new URL((await server.client.createSignInLink()).url).hash.replace('#secret=', '')
const anyone = () => createClient(routes, ({ method, path: place, body }) => fetch(`${server.url}${place}`, { method, headers: { 'content-type': 'application/json' }, ...(body === undefined ? {} : { body }) })) // prettier-ignore
const signIn = async () => {
  const { key } = await anyone().openSession({ body: { secret: await secretOf(), userAgent: 'Firefox/1' } })
  return { key, client: overHttp(server.url, key).client }
}

/** A socket as a browser opens it: no header. */
async function socketWith(first?: object) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`)
  const closed = once(socket, 'close') as Promise<[number]>
  const message = once(socket, 'message') as Promise<[Buffer]>
  message.catch(() => undefined)
  await once(socket, 'open')
  if (first) socket.send(JSON.stringify({ type: 'subscribe', ...first }))
  return { socket, closed, message }
}

test('a link signs one browser in; the key is a header, no cookie is set, and only its hash is stored', async () => {
  const answer = await fetch(`${server.url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: await secretOf() }),
  })
  const { key } = (await answer.json()) as { key: string }
  expect(answer.headers.getSetCookie()).toEqual([])
  expect((await overHttp(server.url, key).client.getStats()).traces).toBe(0)
  const { signIns } = server.app.core.paths
  expect(fs.statSync(signIns).mode & 0o777).toBe(0o600)
  expect(fs.readFileSync(signIns, 'utf8')).not.toContain(key)
  for (const name of fs.readdirSync(server.config.dataDir).filter((one) => one.startsWith('bashgym.db')))
    expect(fs.readFileSync(path.join(server.config.dataDir, name)).includes(key)).toBe(false)
})

test('a link that is used twice signs out both ends and notifies them', async () => {
  const secret = await secretOf()
  const { key } = await anyone().openSession({ body: { secret } })
  const { client } = overHttp(server.url, key)
  const { message, closed } = await socketWith({ key })
  await message
  await expect(anyone().openSession({ body: { secret } })).rejects.toMatchObject({ code: 'sign_in_link_reused', status: 401 })
  expect((await closed)[0]).toBe(4401)
  await expect(client.getStats()).rejects.toMatchObject({ code: 'unauthorized', message: expect.stringContaining('second time') as string })
  await expect(anyone().openSession({ body: { secret } })).rejects.toMatchObject({ code: 'sign_in_link_invalid' })
})

test('of many that use a link at the same moment none stays signed in', async () => {
  const secret = await secretOf()
  await Promise.allSettled(Array.from({ length: 8 }, () => anyone().openSession({ body: { secret } })))
  expect((await server.client.listSignIns()).items).toEqual([])
})

test('the browser that goes to its used link again stays signed in', async () => {
  const secret = await secretOf()
  const { key } = await anyone().openSession({ body: { secret } })
  const { client } = overHttp(server.url, key)
  await expect(client.openSession({ body: { secret } })).rejects.toMatchObject({ code: 'sign_in_link_invalid' })
  expect((await client.listSignIns()).items).toHaveLength(1)
})

test('a key makes neither links nor confirmations: those take the token file', async () => {
  const { client } = await signIn()
  await expect(client.createSignInLink()).rejects.toMatchObject({ code: 'owner_only' })
  await expect(client.confirmChange({ params: { id: 'ABCD-EFGH' } })).rejects.toMatchObject({ code: 'owner_only' })
})

test('sign-ins are listed and revoked one by one, with their sockets', async () => {
  const [first, second] = [await signIn(), await signIn()]
  const { closed, message } = await socketWith({ key: second.key })
  await message
  const { items } = await first.client.listSignIns()
  expect(items.map(({ userAgent, isCurrent }) => [userAgent, isCurrent])).toEqual(expect.arrayContaining([['Firefox/1', true], ['Firefox/1', false]])) // prettier-ignore
  await first.client.revokeSignIn({ params: { id: items.find(({ isCurrent }) => !isCurrent)!.id } })
  expect((await closed)[0]).toBe(4401)
  await expect(second.client.getStats()).rejects.toMatchObject({ message: expect.stringContaining('in Settings') as string })
  expect((await first.client.listSignIns()).items).toHaveLength(1)
})

test('signing out everywhere ends every browser, ticket, link and the token, also of who is connected', async () => {
  const { client } = await signIn()
  const secret = await secretOf()
  const old = server.token
  const { ticket } = await client.createTicket({ body: { path: '/api/stats' } })
  const scripted = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, { headers: { authorization: `Bearer ${old}` } })
  await once(scripted, 'open')
  const closed = once(scripted, 'close')
  expect(await client.signOutEverywhere()).toEqual({ signedOut: 1 })
  await closed
  await expect(client.getStats()).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(server.client.getStats()).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(anyone().openSession({ body: { secret } })).rejects.toMatchObject({ code: 'sign_in_link_invalid' })
  expect((await fetch(`${server.url}/api/stats?ticket=${ticket}`)).status).toBe(401)
  const token = fs.readFileSync(server.app.core.paths.token, 'utf8').trim()
  expect(token).not.toBe(old)
  expect(fs.statSync(server.app.core.paths.token).mode & 0o777).toBe(0o600)
  expect((await overHttp(server.url, token).client.getStats()).traces).toBe(0)
})

test('with the server closed everybody can be signed out too', async () => {
  const { remove, ...config } = testConfig()
  const first = await startTestServer({ config })
  const { url } = await first.client.createSignInLink()
  await first.client.openSession({ body: { secret: new URL(url).hash.replace('#secret=', '') } })
  const old = first.token
  await first.close()
  const app = await createApp(config)
  expect((await inProcessClient(app).listSignIns()).items).toHaveLength(1)
  expect(await inProcessClient(app).signOutEverywhere()).toEqual({ signedOut: 1 })
  expect(app.token).not.toBe(old)
  await app.close()
  remove()
})

test('a ticket is good for one call, once', async () => {
  const { client } = await signIn()
  const ticketFor = async (place: string) => (await client.createTicket({ body: { path: place } })).ticket
  const status = async (place: string, method = 'GET') => (await fetch(`${server.url}${place}`, { method })).status
  const ticket = await ticketFor('/api/traces?limit=1')
  expect(await status(`/api/traces?limit=1&ticket=${ticket}`)).toBe(200)
  expect(await status(`/api/traces?limit=1&ticket=${ticket}`)).toBe(401)
  expect(await status(`/api/traces?limit=2&ticket=${await ticketFor('/api/traces?limit=1')}`)).toBe(401)
  expect(await status(`/api/stats?ticket=${await ticketFor('/api/traces')}`)).toBe(401)
  expect(await status(`/api/sign-ins/sign-out-everywhere?ticket=${await ticketFor('/api/sign-ins/sign-out-everywhere')}`, 'POST')).toBe(401)
})

test('a socket without a key is closed soon, and hears nothing before', async () => {
  for (const first of [undefined, {}, { key: 'bgk_wrong' }]) {
    const { socket, closed } = await socketWith(first)
    const heard: unknown[] = []
    socket.on('message', (text) => heard.push(text))
    expect((await closed)[0]).toBe(4401)
    expect(heard).toEqual([])
  }
})

test('idle sockets without a key keep nobody out: the oldest of them go', async () => {
  const { key } = await signIn()
  const idle = await Promise.all(Array.from({ length: 10 }, () => socketWith()))
  const { message } = await socketWith({ key })
  expect(JSON.parse((await message)[0].toString())).toMatchObject({ type: 'hello' })
  for (const { socket } of idle) socket.terminate()
})

test('a sign-in ends after 14 days without use and after 90 days in any case, also over a restart', () => {
  const { dataDir, remove } = testConfig()
  fs.mkdirSync(dataDir, { recursive: true })
  const file = path.join(dataDir, 'sign-ins.json')
  let now = 1_000_000
  const open = () => createSignIns(file, { now: () => now, onUnwritten: () => undefined })
  const first = open()
  const { key } = first.create('link', '')
  now += UNUSED_MS - 1
  expect(first.use(key)).toHaveProperty('id')
  now += UNUSED_MS - 1
  first.close()
  const second = open()
  expect(second.use(key)).toHaveProperty('id')
  now += UNUSED_MS
  expect(second.use(key)).toEqual({ ended: 'expired' })
  expect(open().list()).toEqual([])

  const busy = second.create('link', '')
  const start = now
  while (now - start < MAX_AGE_MS - UNUSED_MS) {
    now += UNUSED_MS / 2
    second.use(busy.key)
  }
  now = start + MAX_AGE_MS
  expect(second.use(busy.key)).toEqual({ ended: 'expired' })
  remove()
})

test('when an end cannot be written the file goes, so that no sign-in comes back with the next start', () => {
  const { dataDir, remove } = testConfig()
  fs.mkdirSync(dataDir, { recursive: true })
  const options = { now: () => 0, onUnwritten: () => undefined }
  const { key, signIn: made } = createSignIns(path.join(dataDir, 'short'), options).create('link', '')
  const file = path.join(dataDir, 'x'.repeat(255)) // there is no longer name: its replacement cannot be written beside it
  fs.renameSync(path.join(dataDir, 'short'), file)
  const signIns = createSignIns(file, options)
  expect(signIns.use(key)).toHaveProperty('id')
  signIns.end(({ id }) => id === made.id, 'revoked')
  expect(createSignIns(file, options).use(key)).toEqual({ ended: null })
  remove()
})

test('links live 60 seconds and are bounded; tickets live 30', () => {
  const { dataDir, remove } = testConfig()
  let clock = 0
  const links = createSignInLinks(path.join(dataDir, 'sign-in'), () => clock)
  const [early, late] = [links.create(null).secret, links.create('http://127.0.0.1:1')]
  expect(fs.existsSync(late.file!)).toBe(true)
  clock = 59_999
  expect([links.redeem(early), links.redeem(early)]).toEqual([true, false])
  clock = 60_000
  expect(links.redeem(late.secret)).toBe(false)
  expect(fs.existsSync(late.file!)).toBe(false)
  const made = Array.from({ length: 150 }, () => links.create(null).secret)
  expect([links.redeem(made.at(-1)!), links.redeem(made[0]!)]).toEqual([true, false])

  const tickets = createTickets(() => clock)
  const { ticket } = tickets.create({ kind: 'owner' }, 'GET /x')
  clock += 30_000
  expect(() => tickets.redeem(ticket, 'GET /x')).toThrow('expired')
  remove()
})

test.runIf(process.getuid?.() === 0)('another user of this machine can read neither the page that signs in nor its folder', async () => {
  const { file } = await server.client.createSignInLink({ body: { file: true } })
  const secret = /#secret=([\w-]+)/.exec(fs.readFileSync(file!, 'utf8'))![1]!
  const asNobody = (program: string, ...args: string[]) =>
    execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe', uid: 65_534, gid: 65_534, cwd: '/' })
  expect(fs.statSync(file!).mode & 0o777).toBe(0o600)
  for (const place of [file!, server.app.core.paths.token, server.app.core.paths.signIns])
    expect(() => asNobody('cat', place)).toThrow(/Permission denied/)
  expect(() => asNobody('ls', path.dirname(file!))).toThrow(/Permission denied/)
  expect(asNobody('sh', '-c', 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "; true')).not.toContain(secret)
})
