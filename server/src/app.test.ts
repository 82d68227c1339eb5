import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { serverMessages, type ServerMessageType } from '#contracts/messages.ts'
import { routes } from '#contracts/routes/index.ts'
import type { AppError } from '#contracts/errors.ts'
import { createApp, inProcessClient } from './app.ts'
import { overHttp } from './cli/connect.ts'
import { bySpecificity } from './http/answer.ts'
import { record, writeSession } from './stages/capture/testing.ts'
import { createSettings } from './system/settings.ts'
import { startTestServer, testConfig, type TestServer } from './testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('every route of the contract is mounted, and every mounted one is in the contract, once', () => {
  const defined = Object.values(routes).map(({ name }) => name)
  const mounted = server.app.implementations.map(({ route }) => route.name)
  expect(defined.filter((name) => !mounted.includes(name))).toEqual([])
  expect(mounted.filter((name) => !defined.includes(name as never))).toEqual([])
  expect(mounted.length).toBe(new Set(mounted).size)
})

test('no route is shadowed by one with a parameter in its place', () => {
  const ordered = bySpecificity(server.app.implementations).map(({ route }) => route)
  const shadowed = ordered.filter((route, index) =>
    ordered
      .slice(0, index)
      .some(
        ({ method, path: earlier }) =>
          method === route.method && new RegExp(`^${earlier.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(route.path),
      ),
  )
  expect(shadowed.map(({ name }) => name)).toEqual([])
})

/** Messages of the later stages, each checked by a test of its stage. */
const LATER = new Set([
  'privacy',
  'dataset',
  'examples',
  'segments',
  'pairs',
  'model',
  'training',
  'sandbox',
  'guardrail',
  'task',
  'batch',
  'rollouts',
  'shell-tasks',
  'environment',
  'verification',
  'exam',
  'evaluation',
  'benchmark',
  'answers',
  'router',
  'thermometer',
])

test('every message is really sent, and fits its contract', async () => {
  const { core } = server.app
  const { client, config } = server
  const heard = new Set<string>()
  const hears = (type: ServerMessageType) => vi.waitUntil(() => heard.has(type), { timeout: 30_000 })
  const unsubscribe = core.events.subscribe(({ type }) => heard.add(type))
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, { headers: { authorization: server.authorization } })
  socket.on('message', (text: Buffer) => heard.add((JSON.parse(text.toString()) as { type: string }).type))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'subscribe', afterSeq: 0, epoch: 'of a former database' }))
  await hears('reset')
  socket.send(JSON.stringify({ type: 'subscribe' }))
  await hears('hello')

  const projects = path.join(config.claudeDir, 'projects')
  const { file, sessionId } = writeSession(projects)
  await hears('trace:added')
  fs.appendFileSync(file, record(sessionId, 'and more'))
  await hears('trace:updated')
  await core.jobs.wait((await client.importSamples()).id)
  await Promise.all([hears('trace:batch'), hears('job:progress'), hears('job:complete')])
  await core.jobs.wait(core.jobs.start('import', () => Promise.reject(new Error('nothing to read'))).id)
  await hears('job:failed')

  const { id } = (await client.listTraces({ query: { q: sessionId } })).items[0]!
  await client.promoteTrace({ params: { id }, body: {} })
  await hears('trace:promoted')
  await client.demoteTrace({ params: { id }, body: {} })
  await hears('trace:demoted')
  await client.patchSettings({ body: { appearance: { theme: 'dark' } } })
  await hears('settings:changed')
  const { url } = await client.createSignInLink()
  const { key } = await client.openSession({ body: { secret: new URL(url).hash.replace('#secret=', '') } })
  await hears('sign-ins:changed')
  const refused: unknown = await overHttp(server.url, key)
    .client.patchSettings({ body: { training: { python: '/x' } } })
    .catch((error: unknown) => error)
  const { confirmation } = (refused as AppError).details as { confirmation: { id: string } }
  await client.confirmChange({ params: { id: confirmation.id } })
  await hears('confirmation:confirmed')
  const event = { hook_event_name: 'Notification', session_id: sessionId, message: 'Claude is waiting for your input' }
  fs.writeFileSync(path.join(core.paths.spool, '4194305.1'), `${JSON.stringify(event)}\n`)
  await Promise.all([hears('capture:notification'), hears('capture:status')])
  await client.forgetTrace({ params: { id } })
  await hears('trace:removed')
  const span = { traceId: 'a'.repeat(32), id: 'b'.repeat(16), name: 'bash', startedAt: '2026-10-01T12:00:00Z' }
  await client.addSpans({ body: { spans: [span] } })
  await hears('observability:recorded')

  const missing = Object.keys(serverMessages).filter((type) => !heard.has(type) && !LATER.has(type.split(':')[0]!))
  expect(missing).toEqual([])
  expect(server.contractViolations).toEqual([])
  unsubscribe()
  socket.terminate()
})

test('a start asks no client for its version: the settings alone tell whether the hooks are in', async () => {
  const { remove, ...config } = testConfig() // closing a server leaves the folder for the next one
  const claudeBin = path.join(config.dataDir, '..', 'claude.sh')
  fs.writeFileSync(claudeBin, '#!/bin/sh\necho >"$0.asked"\necho 2.1.329\n', { mode: 0o755 })
  const wasAsked = () => fs.existsSync(`${claudeBin}.asked`)
  const first = await startTestServer({ config: { ...config, claudeBin } })
  expect((await first.client.getCapture()).state).toBe('off')
  expect(wasAsked()).toBe(false)
  await first.client.installHooks({ body: {} })
  expect(wasAsked()).toBe(true)
  await first.close()
  fs.rmSync(`${claudeBin}.asked`)

  const second = await startTestServer({ config: { ...config, claudeBin } })
  expect((await second.client.getCapture()).state).toBe('on')
  expect(wasAsked()).toBe(false)
  await second.close()
  remove()
})

test('the same client works with the server closed, through the same checks', async () => {
  const config = testConfig()
  const app = await createApp(config, { validateResponses: true })
  try {
    const client = inProcessClient(app)
    expect(await client.getHealth()).toEqual({ status: 'ok', version: expect.any(String) as string, uptimeSec: expect.any(Number) as number, checks: { db: 'ok', archive: 'ok', spool: 'empty', hooks: 'missing', runs: 'idle', queue: 'empty', models: 'idle', disk: 'ok', search: 'ok' } }) // prettier-ignore
    expect(await client.getStats()).toMatchObject({ traces: 0, runs: { total: 0, byState: {} }, queue: { waiting: 0, paused: false }, models: { total: 0, bytes: 0, serving: 0 } }) // prettier-ignore
    expect((await client.patchSettings({ body: { appearance: { theme: 'light' } } })).settings.appearance.theme).toBe('light')
    await expect(client.getTrace({ params: { id: 'no' } })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(client.getTrace({ params: { id: 'a'.repeat(26) } })).rejects.toMatchObject({ code: 'trace_not_found' })
    await expect(client.createSignInLink()).rejects.toMatchObject({ code: 'not_found' })
  } finally {
    await app.close()
    config.remove()
  }
})

test('settings: unknown keys and thresholds upside down are refused, a change is published, a broken stored value is ignored', async () => {
  const { client } = server
  await expect(client.patchSettings({ body: { scoring: { polcy: 'x' } as never } })).rejects.toMatchObject({ code: 'invalid_request' })
  const { settings } = await client.getSettings()
  const upsideDown = { ...settings.scoring.thresholds, gold: { successRate: 0.1, quality: 0.1 } }
  await expect(client.patchSettings({ body: { scoring: { thresholds: upsideDown } } })).rejects.toMatchObject({ code: 'settings_invalid' })
  const { db, events } = server.app.core
  const before = events.lastSeq()
  await client.patchSettings({ body: { appearance: { density: 'comfortable' } } })
  const settingsEvents = () => events.after(before, 99)?.filter(({ type }) => type === 'settings:changed') // the server has more to tell meanwhile
  expect(settingsEvents()).toHaveLength(1)
  await client.patchSettings({ body: { appearance: { density: 'comfortable' } } })
  expect(settingsEvents()).toHaveLength(1)
  db.prepare("INSERT OR REPLACE INTO settings VALUES ('appearance.theme', '7', 1)").run()
  expect(createSettings(server.app.core).get().appearance).toMatchObject({ theme: 'system', density: 'comfortable' })
  const rule = (name: string, pattern: string) => ({ name, type: 'secret', pattern })
  const rules = JSON.stringify([rule('badge', 'EMP-\\d{6}'), rule('slow', 'x*x*x*x*y')])
  db.prepare("INSERT OR REPLACE INTO settings VALUES ('privacy.customRules', ?, 1)").run(rules)
  const loaded = createSettings(server.app.core)
  expect(loaded.get().privacy.customRules.map(({ name }) => name)).toEqual(['badge'])
  expect(loaded.problems().map(({ message }) => message)).toEqual([
    expect.stringContaining('appearance.theme'),
    expect.stringContaining('privacy.customRules is not valid in this version: 1 of its 2 entries are used'),
  ])
})
